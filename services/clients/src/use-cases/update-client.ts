import { createEvent } from '@laurel/events';
import { checkAndCommitOnce, type Session } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { emailKeyOf } from '@laurel/values/contact';
import type { Deps } from '../deps';
import {
  type Authorship,
  type Client,
  type ClientFields,
  changeClient,
  changedFieldName,
  type FieldChange,
} from '../domain/client';
import { refusals } from '../refusals';
import { toSnapshot } from '../store/mapping';
import { anonymizeClient } from './anonymize-client';
import { fieldsOf } from './client-fields';
import { recordFieldChanges } from './record-field-changes';
import { refusingTakenEmail } from './refusing-taken-email';
import { requireValidCustomFields } from './require-valid-custom-fields';

/**
 * Changes a client and tells of each changed field. Two changes at once are applied one after the
 * other. Status anonymized does what the anonymize endpoint does.
 */
export async function updateClient(
  deps: Deps,
  request: api.UpdateClientRequest,
): Promise<api.Client> {
  const { workspace_id: workspaceId, id } = request;
  if (request.status === 'anonymized') return anonymizeClient(deps, request);
  const fields = fieldsOf(request);
  const check = () => requireValidCustomFields(deps, workspaceId, fields.custom_fields);
  const authorship = { source: request.change_source ?? 'api', now: deps.clock.now() };
  return refusingTakenEmail(() =>
    checkAndCommitOnce(deps.connection, check, async (session) => {
      const { client, changes } = await decided(deps, request, { fields, authorship, session });
      if (changes.length === 0) return toSnapshot(client);
      const written = toSnapshot(await deps.clients.replace(client, session));
      await recordFieldChanges(deps, { client, changes, ...authorship }, session);
      if (changes.some(isOfOtherAddress)) {
        const noting = { workspaceId, clientId: id, now: authorship.now };
        await deps.addressProofs.withdraw(noting, session);
      }
      const data = {
        client_id: id,
        client: written,
        changed_fields: changes.map(changedFieldName),
      };
      const updated = createEvent('clients.updated', { workspaceId, subject: id, data });
      await deps.outbox.append([updated], session);
      return written;
    }),
  );
}

/**
 * A proof is of an address. With another one the reader of the former mailbox, who may be a stranger where it was
 * misspelt, is signed out, and what comes to the new one is proven by its own reader (docs/adr/0014).
 */
function isOfOtherAddress(change: FieldChange): boolean {
  if (changedFieldName(change) !== 'email') return false;
  const before = emailKeyOf(change.before as string | null);
  return before !== null && before !== emailKeyOf(change.after as string | null);
}

/** What a change comes to as the client stands: refused where there is no client to change. */
export async function decided(
  { clients }: Pick<Deps, 'clients'>,
  { workspace_id: workspaceId, id }: api.UpdateClientRequest,
  {
    fields,
    authorship,
    session,
  }: { fields: ClientFields; authorship: Authorship; session?: Session },
): Promise<{ client: Client; changes: FieldChange[] }> {
  const current = await clients.find(workspaceId, id, session);
  if (!current) throw refusals.clientNotFound();
  const change = changeClient(current, fields, authorship);
  if (change.changes.length > 0 && current.status === 'anonymized')
    throw refusals.clientAnonymized();
  return change;
}
