// Somebody else's CRM: it keeps of each client what it was sent last, and lets go of whom it is to let go.
import { randomUUID } from 'node:crypto';
import { serveStatuses } from '../lib/listen.mjs';
import { canariesIn } from './traces.mjs';

/** @typedef {import('./checker/world.mjs').Contact} Contact */
/** @typedef {Awaited<ReturnType<typeof openCrm>>} Crm */

/** What it calls what it knows of a client. */
export const CONTACT_FIELDS = {
  first_name: 'given',
  last_name: 'family',
  email: 'mail',
  status: 'state',
};

export async function openCrm() {
  /** By the first step of their path. @type {Map<string, { workspaceId: string, apiKey: string }>} */
  const accounts = new Map();
  /** @type {Map<string, Contact>} */
  const contacts = new Map();
  /** @type {Map<string, import('./checker/world.mjs').Trace>} */
  const traces = new Map();

  /** @param {import('node:http').IncomingMessage} request @param {string} body @returns {number} */
  function receive({ method, url, headers }, body) {
    const [, account, noun, clientId] = String(url).split('/');
    const known = accounts.get(String(account));
    if (!known || headers.authorization !== `Bearer ${known.apiKey}`) return 401;
    if (noun !== 'clients' || !clientId) return 200;
    const { workspaceId } = known;
    const key = `${workspaceId} ${clientId}`;
    const contact = contacts.get(key) ?? { workspaceId, clientId, fields: null, calls: 0 };
    contacts.set(key, {
      ...contact,
      calls: contact.calls + 1,
      fields: method === 'PUT' ? JSON.parse(body) : null,
    });
    for (const canary of canariesIn(body))
      traces.set(`${canary} ${workspaceId}`, {
        canary,
        place: 'the receiver of contacts',
        workspaceId,
      });
    return 204;
  }

  const { url: address, close } = await serveStatuses(receive);

  return {
    /** What a workspace is to be connected with. @param {string} workspaceId */
    open(workspaceId) {
      const [account, apiKey] = [randomUUID(), randomUUID()];
      accounts.set(account, { workspaceId, apiKey });
      return {
        enabled_outbound: true,
        config: { base_url: `${address}/${account}`, field_mapping: CONTACT_FIELDS },
        secrets: { api_key: apiKey },
      };
    },
    /** @returns {Contact[]} */
    contacts: () => [...contacts.values()],
    traces: () => [...traces.values()],
    close,
  };
}
