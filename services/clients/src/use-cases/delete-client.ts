import { createEvent } from '@laurel/events';
import { mayFail } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { identities } from '../store/identities';
import { toKnownElsewhere } from '../store/mapping';
import { openProcess } from './open-process';
import { runProcess } from './run-process';

/**
 * Deletes a client. Events stay, scrubbed; wallets are closed; whatever cannot be done before the
 * answer the sweeper does. Outside systems learn by the identities in clients.deleted.
 */
export async function deleteClient(
  deps: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  const now = deps.clock.now();
  const process = await commitOnce(deps.connection, async (session) => {
    const client = await deps.clients.find(workspaceId, id, session);
    if (!client) throw refusals.clientNotFound();
    const known = await deps.identities.ofClient(workspaceId, id, session);
    await deps.clients.remove(client, session);
    const erasure = { workspaceId, clientId: id, ending: 'deleted' } as const;
    await identities.erasePerson(deps.connection, erasure, session);
    const tombstone = { clientId: id, workspaceId, mergedInto: null, at: now };
    await deps.tombstones.put({ ...tombstone, kind: 'deleted' }, session);
    const data = { client_id: id, external_identities: toKnownElsewhere(known) };
    const deleted = createEvent('clients.deleted', { workspaceId, subject: id, data });
    await deps.outbox.append([deleted], session);
    return openProcess(deps, { workspaceId, kind: 'delete', clientId: id }, session);
  });
  await runProcess(deps, process).catch(mayFail('the process is due again'));
  return {};
}
