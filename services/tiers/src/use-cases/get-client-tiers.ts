import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toStandingReply } from './wire';

/** Which tier each of many clients is in. Unknown clients are in none. */
export async function getClientTiers(
  { members, tiers }: Pick<Deps, 'members' | 'tiers'>,
  { workspace_id: workspaceId, client_ids: ids }: api.ClientIds,
): Promise<api.Placements> {
  const [found, existing] = await Promise.all([
    members.findMany(workspaceId, [...new Set(ids)]),
    tiers.list(workspaceId),
  ]);
  const standings = new Map(found.map((member) => [member.id, toStandingReply(member)]));
  const known = new Set(existing.map(({ id }) => id));
  const placements = ids.map((client_id) => {
    const { tier_id = null, manually_assigned = false } = standings.get(client_id) ?? {};
    return tier_id !== null && known.has(tier_id)
      ? { client_id, tier_id, manually_assigned }
      : { client_id, tier_id: null, manually_assigned: false };
  });
  return { placements };
}
