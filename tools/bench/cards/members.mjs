// Members with a pass each, on a phone each, written straight into the store by the services' own code.
import { MongoClient } from 'mongodb';
import { services } from '../../lib/built.mjs';
import {
  newClient,
  newProfile,
  searchDocument,
  toClientDocument,
  toProfileDocument,
} from '../million/services.mjs';

const { newId } = services('packages/lifecycle/dist/index.js');
const { newPass } = services('services/passes/dist/domain/pass/pass.js');
const { toDocument: toPassDocument } = services('services/passes/dist/store/pass-document.js');
const BATCH = 1_000;

/**
 * @typedef {{ clientId: string, passId: string, device: string }} Member
 */

/**
 * @param {string} uri
 * @param {{ count: number, workspaceId: string, projectId: string, templateId: string, passType: string }} plan
 * @returns {Promise<Member[]>}
 */
export async function writeMembers(uri, plan) {
  const store = await MongoClient.connect(uri);
  /** @type {Member[]} */
  const members = [];
  try {
    while (members.length < plan.count) {
      const numbers = Array.from(
        { length: Math.min(BATCH, plan.count - members.length) },
        (_, index) => members.length + index,
      );
      const made = numbers.map((number) => memberOf(plan, number));
      for (const name of Object.keys(made[0]?.documents ?? {})) {
        const [database, collection] = /** @type {[string, string]} */ (name.split('.'));
        await store
          .db(`laurel_${database}`)
          .collection(collection)
          .insertMany(made.map(({ documents }) => documents[name]));
      }
      members.push(...made.map(({ member }) => member));
    }
  } finally {
    await store.close();
  }
  return members;
}

/**
 * A member with a card on a phone, and the documents that say so.
 *
 * @param {Omit<Parameters<typeof writeMembers>[1], 'count'>} plan
 * @param {number} number
 * @returns {{ member: Member, documents: Record<string, object> }}
 */
export function memberOf({ workspaceId, projectId, templateId, passType }, number) {
  const now = new Date();
  const [clientId, passId] = [newId(), newId()];
  const device = `phone-${passId}`;
  const fields = {
    first_name: 'Ada',
    last_name: `Member ${number}`,
    email: `member-${number}@example.com`,
    marketing_consent: true,
  };
  const person = newClient({ id: clientId, workspaceId }, fields, { source: 'api', now });
  const client = toClientDocument(person);
  const made = {
    ...{ id: passId, workspace_id: workspaceId, project_id: projectId },
    ...{
      pass_template_id: templateId,
      client_id: clientId,
      pass_fields: {},
      barcode_value: passId,
    },
  };
  const pass = { ...newPass(made, { userId: null, now }), on_apple: true };
  const asked = { asked: 0, not_before: now, changed_at: now };
  return {
    member: { clientId, passId, device },
    documents: {
      'clients.clients': client,
      'clients.client_search': searchDocument(client),
      'clients.client_profiles': toProfileDocument(newProfile(person)),
      'passes.passes': toPassDocument(pass),
      'passes.pass_updates': { _id: passId, workspace_id: workspaceId, ...asked },
      'passes.apple_registrations': {
        ...{ _id: `${passId}:${device}`, workspace_id: workspaceId, device_id: device },
        ...{ pass_type: passType, pass_id: passId, push_token: passId, link_generation: 0 },
        ...{ digest: null, changed_at: now, date_created: now },
      },
    },
  };
}
