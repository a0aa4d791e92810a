import type { Deps } from '../deps';
import type { Attempt } from '../domain/redemption';
import type { UsageKey } from '../store/usages';

/** Where the use of an attempt may be counted: at its client, or at whom that client became part of. */
export async function usageKeysOf(
  { merges }: Pick<Deps, 'merges'>,
  { workspace_id, reward_id: rewardId, client_id: clientId }: Attempt,
): Promise<UsageKey[]> {
  const current = await merges.currentOf(workspace_id, clientId);
  return [...new Set([clientId, current])].map((id) => ({ rewardId, clientId: id }));
}
