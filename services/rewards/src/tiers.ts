import type { TierDirectory } from './deps';
import type { ClientTierStore } from './store/client-tiers';

/** Tiers as events told of them. */
export function tierDirectory({ clientTiers }: { clientTiers: ClientTierStore }): TierDirectory {
  return {
    unknownAmong: async (_workspaceId, tierIds) => [...tierIds],
    tierOf: (workspaceId, clientId) => clientTiers.tierOf(workspaceId, clientId),
  };
}
