// The doors that people and systems outside have: an inbox for a shop system, a form, and the portal.
import { randomUUID } from 'node:crypto';

/** @typedef {import('./scene.mjs').Make} Make */
/** @typedef {{ clientId: string, email: string }} Regular whose purchases a shop system tells of, by address */
/** @typedef {{ clientId: string, token: string }} Visitor who is signed in to the portal */
/** @typedef {{ inbox: string, form: string, regulars: Regular[], visitors: Visitor[] }} Doors */

/** What a shop system sends, and what is to be made of it. */
const MAPPING = {
  event_category: '"transaction"',
  event_type: '"purchase"',
  email: 'body.customer.email',
  amount: 'body.total',
  currency: '"EUR"',
  external_id: 'body.id',
};
const REGULARS = 5;
const VISITORS = 4;

/**
 * @param {Make} make
 * @param {string} path of the workspace
 * @param {{ slug: string, template: { id: string, project_id: string }, clients: readonly string[] }} of `clients` are residents: some of
 *   them come to the portal
 * @returns {Promise<Doors>}
 */
export async function makeDoors(make, path, { slug, template, clients }) {
  const wanted = { enabled_inbound: true, config: { mapping: MAPPING } };
  const inbox = await make(`${path}/integrations/webhook_inbox`, wanted, 'PUT');
  await make(`${path}/portal-config`, { is_enabled: true }, 'PUT');
  const regulars = [];
  for (let number = 0; number < REGULARS; number += 1) regulars.push(await newPerson(make, path));
  const visitors = [];
  for (const clientId of clients.slice(0, VISITORS)) {
    const session = { workspace_slug: slug, client_id: clientId };
    const { data } = await make('/service-api/public/loyalty/session', session);
    visitors.push({ clientId, token: data.token });
  }
  return {
    inbox: `/inbox/${inbox.data.inbox_id}/${inbox.token}`,
    form: await makeForm(make, path, template),
    regulars,
    visitors,
  };
}

/** @param {Make} make @param {string} path @param {{ id: string, project_id: string }} template @returns {Promise<string>} where its answers go */
async function makeForm(make, path, { id: pass_template_id, project_id }) {
  const form = { name: 'Counter', project_id, pass_template_id, page_enabled: true };
  const { data } = await make(`${path}/distributions`, form);
  const rotated = await make(`${path}/distributions/${data.id}/api-token/rotate`, {});
  return `/service-api/embed/distribution/${rotated.data.token}/submit`;
}

/** @param {Make} make @param {string} path @returns {Promise<Regular>} */
async function newPerson(make, path) {
  const email = `regular-${randomUUID()}@example.com`;
  const person = { first_name: 'Ida', email, loyalty_program_enabled: true };
  const { data } = await make(`${path}/clients`, person);
  return { clientId: data.id, email };
}
