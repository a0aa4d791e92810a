import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { fillTimeline, firstDay } from '../domain/timeline';
import { NAMELESS } from '../store/people';

/** What happened on each of the last days (UTC, today included), and who brought most in that time. */
export async function getAnalytics(
  { statistics, people, clock }: Pick<Deps, 'statistics' | 'people' | 'clock'>,
  { workspace_id: workspaceId, days }: api.AnalyticsRequest,
): Promise<api.Analytics> {
  const from = firstDay(clock.now(), days);
  const [created, completed, top] = await Promise.all([
    statistics.createdPerDay(workspaceId, from),
    statistics.completedPerDay(workspaceId, from),
    statistics.topReferrers(workspaceId, from),
  ]);
  const names = await people.namesOf(
    workspaceId,
    top.map(({ clientId }) => clientId),
  );
  return {
    timeline: fillTimeline({ from, days }, { created, completed }),
    top_referrers: top.map((referrer) => ({
      client_id: referrer.clientId,
      person: names.get(referrer.clientId) ?? NAMELESS,
      completed_count: referrer.completed,
      pending_count: referrer.pending,
    })),
  };
}
