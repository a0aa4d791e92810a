import { createEvent } from '@laurel/events';
import { checkAndCommitOnce, type Session } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
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
import { toNews, toSnapshot } from '../store/mapping';
import { anonymizeClient } from './anonymize-client';
import { fieldsOf } from './client-fields';
import { isOfOtherEmail, isOfOtherPhone } from './other-address';
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
      const written = await deps.clients.replace(client, session);
      await recordFieldChanges(deps, { client, changes, ...authorship }, session);
      await withdrawProofs(deps, { client, changes, now: authorship.now }, session);
      const data = { ...toNews(written), changed_fields: changes.map(changedFieldName) };
      const updated = createEvent('clients.updated', { workspaceId, subject: id, data });
      await deps.outbox.append([updated], session);
      return toSnapshot(written);
    }),
  );
}

/**
 * A proof is of an address. With another one the reader of the former mailbox, who may be a stranger where it was
 * misspelt, is signed out, and what comes to the new one is proven by its own reader (docs/adr/0014). So is who was let
 * in by a text message to a number that is another one now.
 */
async function withdrawProofs(
  { addressProofs }: Pick<Deps, 'addressProofs'>,
  { client, changes, now }: { client: Client; changes: readonly FieldChange[]; now: Date },
  session: Session,
): Promise<void> {
  const { workspace_id: workspaceId, id: clientId } = client;
  const isOtherPhone = changes.some(isOfOtherPhone);
  // A proof of somebody without an address is from before text messages were none.
  if (changes.some(isOfOtherEmail) || (isOtherPhone && client.email === null))
    await addressProofs.withdraw({ workspaceId, clientId, now }, session);
  if (isOtherPhone)
    await addressProofs.withdrawReached(workspaceId, { clientIds: [clientId], now }, session);
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
