import { isFinalRefusal } from '@laurel/errors';
import { type CloudEvent, createEvent } from '@laurel/events';
import { keptOperation } from '@laurel/lifecycle';
import { commitEachOnce, type Session } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import {
  type Authorship,
  type Client,
  type ClientFields,
  changeClient,
  changedFieldName,
} from '../domain/client';
import { refusals } from '../refusals';
import { toNews } from '../store/mapping';
import { fieldsOf } from './client-fields';
import { insertTrail } from './insert-trail';
import { fieldChangeRecords } from './record-field-changes';
import { requireValidCustomFields } from './require-valid-custom-fields';

/**
 * Gives many clients the same custom fields, each as `updateClient` does, in one transaction (docs/adr/0027). Each change
 * is an operation of its own: one that was done is passed over, however the others end.
 */
export async function updateCustomFields(
  deps: Deps,
  request: api.UpdateCustomFieldsRequest,
): Promise<api.ChangedClients> {
  const { workspace_id: workspaceId, custom_fields, change_source: source, changes } = request;
  const fields = fieldsOf({ workspace_id: workspaceId, id: '', custom_fields });
  await requireValidCustomFields(deps, workspaceId, fields.custom_fields);
  const contexts = changes.map(({ operation_id }) => keptOperation(operation_id));
  const authorship = { source, now: deps.clock.now() };
  const decisions = await commitEachOnce<{ refusal?: string }>(
    deps.connection,
    contexts,
    async (session, fresh) => {
      const ids = fresh.map((at) => changes[at]!.client_id);
      const found = await deps.clients.findMany(workspaceId, ids, session);
      const decided = new Map(
        found.map((client) => [client.id, decide(client, fields, authorship)]),
      );
      await write(deps, { decided: [...decided.values()], authorship }, session);
      return ids.map((id) => refused(decided.get(id) ?? GONE));
    },
  );
  // What an earlier version kept of an operation is the client itself.
  return {
    clients: decisions.map((decision, index) => ({
      client_id: changes[index]!.client_id,
      ...refused(decision),
    })),
  };
}

const refused = ({ refusal }: { refusal?: string }): { refusal?: string } =>
  refusal === undefined ? {} : { refusal };

type Decided = ReturnType<typeof changeClient> & { refusal?: string };

const GONE = { refusal: refusals.clientNotFound().message };

/** What a client becomes; nothing of one that was erased, or has no room. The others of the call are changed all the same. */
function decide(current: Client, fields: ClientFields, authorship: Authorship): Decided {
  const unchanged = (refusal: string) => ({ client: current, changes: [], refusal });
  try {
    const decided = changeClient(current, fields, authorship);
    return current.status === 'anonymized' && decided.changes.length > 0
      ? unchanged(refusals.clientAnonymized().message)
      : decided;
  } catch (error) {
    if (!isFinalRefusal(error)) throw error;
    return unchanged(error.message);
  }
}

/** Writes the clients that changed, their trails, and tells of both, client by client. */
async function write(
  deps: Deps,
  { decided, authorship }: { decided: readonly Decided[]; authorship: Authorship },
  session: Session,
): Promise<void> {
  const changed = decided.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return;
  const written = await deps.clients.replaceAll(
    changed.map(({ client }) => client),
    session,
  );
  const records = changed.map(({ client, changes }) =>
    fieldChangeRecords({ client, changes, ...authorship }),
  );
  const [{ workspace_id: workspaceId }] = written as [Client];
  await insertTrail(deps, { workspaceId, session }, { rows: records.flatMap(({ rows }) => rows) });
  const news = written.flatMap((client, index): CloudEvent[] => {
    const changed_fields = changed[index]!.changes.map(changedFieldName);
    const about = { workspaceId, subject: client.id, data: { ...toNews(client), changed_fields } };
    return [...records[index]!.told, createEvent('clients.updated', about)];
  });
  await deps.outbox.append(news, session);
}
