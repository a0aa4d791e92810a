import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type AudienceGroup, countInTiers, reachOf } from '../domain/segments/audience';
import { withStatus } from '../domain/segments/criteria';
import { all, any, type Criterion } from '../domain/segments/criterion';
import { refusals } from '../refusals';
import { type CriteriaDeps, readCriteria } from './read-criteria';

type MeasureDeps = CriteriaDeps & Pick<Deps, 'profiles'>;

/**
 * How many active clients are in an audience, how they can be reached, and how many of them each lock lets in. Counted
 * in the store, once for the audience and once for each set of segments that locks name.
 */
export async function measureAudience(
  deps: MeasureDeps,
  { workspace_id: workspaceId, segment_id, client_ids, locks }: api.MeasureAudienceRequest,
): Promise<api.AudienceMeasure> {
  const named = [segment_id ?? [], locks.flatMap((lock) => lock.segment_ids)].flat(2);
  const criteria = await readCriteria(deps, workspaceId, [...new Set(named)]);
  const listed: Criterion = { path: '_id', oneOf: client_ids };
  const chosen = segment_id === undefined ? listed : criteria.get(segment_id);
  if (!chosen) throw refusals.segmentNotFound();
  const audience = withStatus(chosen, 'active');
  const counted = new Map<string, AudienceGroup[]>();
  const groups = await groupsWithin([]);
  const admissions: api.AudienceAdmission[] = [];
  for (const { tier_ids, segment_ids, assigned_tier_id: assigned } of locks) {
    const by_tier = countInTiers(groups, tier_ids, assigned);
    const within = await groupsWithin(segment_ids);
    admissions.push({ by_tier, admitted: countInTiers(within, tier_ids, assigned) });
  }
  const { loyaltyEnabled: loyalty_enabled, ...reach } = reachOf(groups);
  return { ...reach, loyalty_enabled, admissions };

  async function groupsWithin(segmentIds: readonly string[]): Promise<AudienceGroup[]> {
    const key = [...segmentIds].sort().join();
    const known = counted.get(key);
    if (known) return known;
    const within = any(...segmentIds.flatMap((id) => criteria.get(id) ?? []));
    const criterion = segmentIds.length === 0 ? audience : all(audience, within);
    const found = await deps.profiles.groups(workspaceId, criterion);
    counted.set(key, found);
    return found;
  }
}
