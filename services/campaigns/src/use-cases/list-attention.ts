import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

/** What failed longer ago than that has been seen, or does not matter any more. */
const LOOK_BACK_MS = 14 * 86_400_000;
const CAMPAIGNS_MAX = 50;

/** Campaigns that ran lately and did not reach somebody as they should have. */
export async function listAttention(
  { audience, campaigns, clock }: Pick<Deps, 'audience' | 'campaigns' | 'clock'>,
  { workspace_id: workspaceId }: common.AttentionRequest,
): Promise<common.AttentionList> {
  const since = new Date(clock.now().getTime() - LOOK_BACK_MS);
  const newest = await campaigns.newest(workspaceId, CAMPAIGNS_MAX);
  const started = newest.filter(({ started_at: at }) => at !== null && at >= since);
  const failed = await Promise.all(started.map(({ id }) => audience.countFailed(workspaceId, id)));
  return {
    items: started.flatMap(({ id, name, started_at }, index) =>
      failed[index] === 0
        ? []
        : {
            kind: 'campaign_failed',
            severity: 'error',
            count: failed[index]!,
            since: started_at!.toISOString(),
            subject_type: 'campaign',
            subject_id: id,
            subject_name: name,
          },
    ),
  };
}
