import { checkAndCommitOnce } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { requireConfiguration } from './read-programme';
import { toResyncJobReply } from './wire';

/** Ids asked for in one call to the clients service. */
const LOOKUP = 500;

/** Queues the evaluation of everybody, or of named clients. An unknown client is refused. */
export async function recalculateTiers(
  deps: Pick<Deps, 'connection' | 'tierSets' | 'tiers' | 'resyncJobs' | 'clients'>,
  { workspace_id: workspaceId, client_ids: named }: api.RecalculateTiersRequest,
): Promise<api.ResyncJob> {
  const clientIds = named === undefined ? null : [...new Set(named)];
  const check = async () => {
    await requireConfiguration(deps, workspaceId);
    if (clientIds) await requireClients(deps, workspaceId, named!);
  };
  return checkAndCommitOnce(deps.connection, check, async (session) =>
    toResyncJobReply(await deps.resyncJobs.insert(workspaceId, clientIds, session)),
  );
}

async function requireClients(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += LOOKUP) {
    const asked = ids.slice(at, at + LOOKUP);
    const { clients: found } = await clients.GetClients({ workspace_id: workspaceId, ids: asked });
    const known = new Set(found.map(({ id }) => id));
    const missing = asked.findIndex((id) => !known.has(id));
    if (missing >= 0) throw refusals.unknownClient({ field: `client_ids.${at + missing}` });
  }
}
