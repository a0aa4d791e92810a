import type { RpcClient } from '@laurel/rpc';
import type { TierDirectory } from '../deps';

/** Tiers as the tiers service keeps them; asked at the moment, because a promotion must count at once. */
export function tierDirectory(
  tiers: Pick<RpcClient<'tiers'>, 'GetTiers' | 'GetClientTiers'>,
): TierDirectory {
  return {
    async unknownAmong(workspaceId, tierIds) {
      const reply = await tiers.GetTiers({ workspace_id: workspaceId, ids: [...tierIds] });
      const known = new Set(reply.tiers.map(({ id }) => id));
      return tierIds.filter((id) => !known.has(id));
    },
    async tierOf(workspaceId, clientId) {
      const request = { workspace_id: workspaceId, client_ids: [clientId] };
      const { placements } = await tiers.GetClientTiers(request);
      return placements[0]?.tier_id ?? null;
    },
  };
}
