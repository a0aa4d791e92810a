import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { LOYALTY_DISABLED } from '../store/mapping';

/** How many clients are in each tier, in none, and not enrolled. */
export async function countTierClients(
  { members, tiers }: Pick<Deps, 'members' | 'tiers'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.TierClientCounts> {
  const [counts, existing] = await Promise.all([
    members.countByGroup(workspaceId),
    tiers.list(workspaceId),
  ]);
  const take = (group: string): number => {
    const count = counts.get(group) ?? 0;
    counts.delete(group);
    return count;
  };
  const inTiers = Object.fromEntries(existing.map(({ id }) => [id, take(id)]));
  const disabled = take(LOYALTY_DISABLED);
  // Those who are left are in no tier, or in one that is gone.
  const untiered = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { tiers: inTiers, untiered, loyalty_disabled: disabled };
}
