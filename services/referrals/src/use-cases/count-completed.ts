import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/** How many referrals each of the clients brought to completion; of all time or in a period; every client asked for is in the answer. */
export async function countCompleted(
  { statistics }: Pick<Deps, 'statistics'>,
  { workspace_id: workspaceId, client_ids: ids, since, until }: api.CountCompletedRequest,
): Promise<api.CompletedCounts> {
  const moment = (text: string | undefined) => (text === undefined ? null : new Date(text));
  const period = { from: moment(since), until: moment(until) };
  const counts = await statistics.countCompleted(workspaceId, ids, period);
  return { counts: ids.map((id) => ({ client_id: id, count: counts.get(id) ?? 0 })) };
}
