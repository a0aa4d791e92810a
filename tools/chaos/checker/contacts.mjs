// D4: what another system heard of clients.
import { CONTACT_FIELDS } from '../crm.mjs';
import { finding } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */

/** @param {Record<string, any>} row @returns {Record<string, any>} what the other system is to know of a client */
export const contactOf = (row) =>
  Object.fromEntries(
    Object.entries(CONTACT_FIELDS).map(([column, theirs]) => [theirs, row[column] ?? null]),
  );

/**
 * D4: in the end the other system knows each client as it is, however often it heard of it, and nothing of those who went.
 *
 * @param {World} world
 */
export function contactsAreTrue({ clients, contacts, history }) {
  const found = finding();
  // Workspaces of the load have the other system; those that errands make have none.
  const told = new Set(history.map(({ workspace }) => workspace));
  const known = new Map(contacts.map((one) => [`${one.workspaceId} ${one.clientId}`, one]));
  const there = new Set(clients.map(({ workspace_id, _id }) => `${workspace_id} ${_id}`));
  for (const client of clients.filter(({ workspace_id }) => told.has(workspace_id))) {
    const key = `${client.workspace_id} ${client._id}`;
    const fields = known.get(key)?.fields ?? null;
    // Of who was anonymous before it could hear anything there is nothing to know.
    if (fields === null && client.status === 'anonymized') continue;
    const wanted = JSON.stringify(contactOf(client));
    const has = JSON.stringify(fields);
    found.must(has === wanted, () => `client ${key} is known outside as ${has}, and is ${wanted}`);
  }
  for (const [key, { fields }] of known)
    if (!there.has(key))
      found.must(fields === null, () => `client ${key} is gone, and known outside`);
  return found;
}
