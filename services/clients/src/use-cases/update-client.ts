import { createEvent } from '@laurel/events';
import { commitOnce } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { changeClient, changedFieldName } from '../domain/client';
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
  await requireValidCustomFields(deps, workspaceId, fields.custom_fields);
  const authorship = { source: request.change_source ?? 'api', now: deps.clock.now() };
  return refusingTakenEmail(() =>
    commitOnce(deps.connection, async (session) => {
      const current = await deps.clients.find(workspaceId, id, session);
      if (!current) throw refusals.clientNotFound();
      const { client, changes } = changeClient(current, fields, authorship);
      if (changes.length === 0) return toSnapshot(current);
      if (current.status === 'anonymized') throw refusals.clientAnonymized();
      const written = toSnapshot(await deps.clients.replace(client, session));
      await recordFieldChanges(deps, { client, changes, ...authorship }, session);
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
