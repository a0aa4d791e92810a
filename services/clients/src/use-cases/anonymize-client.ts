import { createEvent } from '@laurel/events';
import { mayFail } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { anonymize, type Client } from '../domain/client';
import { refusals } from '../refusals';
import { identities } from '../store/identities';
import { toKnownElsewhere, toSnapshot } from '../store/mapping';
import { openProcess } from './open-process';
import { recordFieldChanges } from './record-field-changes';
import { runProcess } from './run-process';

/**
 * Erases what says who a client is; the record stays. From the commit on nothing of the person can be
 * written again; the trail is scrubbed before the answer, or by the sweeper. Repeating it is harmless.
 * `requireMay` refuses, by throwing, on the very record that would be erased.
 */
export async function anonymizeClient(
  deps: Deps,
  { workspace_id: workspaceId, id }: Pick<common.Id, 'workspace_id' | 'id'>,
  requireMay: (client: Client) => void = () => undefined,
): Promise<api.Client> {
  const now = deps.clock.now();
  const { client, process } = await commitOnce(deps.connection, async (session) => {
    const current = await deps.clients.find(workspaceId, id, session);
    if (!current) throw refusals.clientNotFound();
    if (current.status === 'anonymized') return { client: toSnapshot(current), process: null };
    requireMay(current);
    const { client: emptied, changes } = anonymize(current, now);
    const written = toSnapshot(await deps.clients.replace(emptied, session));
    // Outside systems let go of the person by these, which nothing here knows any more in a moment.
    const known = await deps.identities.ofClient(workspaceId, id, session);
    const erasure = { workspaceId, clientId: id, ending: 'anonymized' } as const;
    await identities.erasePerson(deps.connection, erasure, session);
    const tombstone = { clientId: id, workspaceId, mergedInto: null, at: now };
    await deps.tombstones.put({ ...tombstone, kind: 'anonymized' }, session);
    const erased = { client: emptied, changes, source: 'anonymize', now };
    await recordFieldChanges(deps, erased, session);
    const data = { client_id: id, external_identities: toKnownElsewhere(known) };
    const anonymized = createEvent('clients.anonymized', { workspaceId, subject: id, data });
    await deps.outbox.append([anonymized], session);
    return {
      client: written,
      process: await openProcess(deps, { workspaceId, kind: 'anonymize', clientId: id }, session),
    };
  });
  if (process) await runProcess(deps, process).catch(mayFail('the process is due again'));
  return client;
}
