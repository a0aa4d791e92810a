import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/** How many referrals each of the clients brought to completion; every client asked for is in the answer. */
export async function countCompleted(
  { statistics }: Pick<Deps, 'statistics'>,
  { workspace_id: workspaceId, client_ids: ids, since }: api.CountCompletedRequest,
): Promise<api.CompletedCounts> {
  const from = since === undefined ? null : new Date(since);
  const counts = await statistics.countCompleted(workspaceId, ids, from);
  return { counts: ids.map((id) => ({ client_id: id, count: counts.get(id) ?? 0 })) };
}
