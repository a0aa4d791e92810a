import { createEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { newClient } from '../domain/client';
import { toSnapshot } from '../store/mapping';
import { fieldsOf } from './client-fields';
import { refusingTakenEmail } from './refusing-taken-email';
import { requireValidCustomFields } from './require-valid-custom-fields';

/** Creates a client. A taken e-mail address is refused, also when two take it at once. */
export async function createClient(
  deps: Pick<Deps, 'connection' | 'clients' | 'fields' | 'outbox' | 'clock'>,
  request: api.CreateClientRequest,
): Promise<api.Client> {
  const { workspace_id: workspaceId } = request;
  const fields = fieldsOf(request);
  await requireValidCustomFields(deps, workspaceId, fields.custom_fields);
  const authorship = { source: request.consent_source ?? 'api', now: deps.clock.now() };
  const client = newClient(newId(), workspaceId, fields, authorship);
  const snapshot = toSnapshot(client);
  return refusingTakenEmail(() =>
    commitOnce(deps.connection, async (session) => {
      await deps.clients.insert(client, session);
      const data = { client_id: client.id, client: snapshot };
      const created = createEvent('clients.created', { workspaceId, subject: client.id, data });
      await deps.outbox.append([created], session);
      return snapshot;
    }),
  );
}
