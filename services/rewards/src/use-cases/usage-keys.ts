import type { Attempt } from '../domain/redemption';
import type { UsageKey } from '../store/usages';

/** Where the use of an attempt may be counted: at its client, or at whom that client became part of. */
export function usageKeys(
  { reward_id: rewardId, client_id: clientId }: Attempt,
  currentClientId: string,
): UsageKey[] {
  return [...new Set([clientId, currentClientId])].map((id) => ({ rewardId, clientId: id }));
}
