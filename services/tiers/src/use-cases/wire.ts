import type { Json } from '@laurel/errors';
import { withoutMissingKey } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Member } from '../domain/member';
import type { Tier, TierSet } from '../domain/programme';
import type { ResyncJob } from '../store/resync-jobs';

export function toTierReply({
  benefits,
  condition_values,
  notification_config,
  revision: _revision,
  changed_at: _changedAt,
  ...tier
}: Tier): api.Tier {
  return {
    ...withoutMissingKey(tier),
    condition_values: condition_values as Json,
    benefits: benefits.map(({ id, label, value }) => ({
      id,
      label,
      ...(value === undefined ? {} : { value }),
    })),
    notification_config: notification_config as Json,
  };
}

export function toTierSetReply(set: TierSet, tiers: readonly Tier[]): api.TierSet {
  const { id, workspace_id, name, active, conditions, downgrade_config } = set;
  const shown = { id, workspace_id, name, active, conditions, downgrade_config };
  return { ...shown, tiers: tiers.map(toTierReply) };
}

export function toStandingReply({ id, tier, assignment, promotedAt }: Member): api.Standing {
  const assigned = assignment !== null && assignment.tierId === tier?.id;
  return {
    client_id: id,
    tier_id: tier?.id ?? null,
    manually_assigned: assigned,
    promoted_at: promotedAt?.toISOString() ?? null,
    expires_at: assigned ? (assignment.expiresAt?.toISOString() ?? null) : null,
  };
}

export function toResyncJobReply(job: ResyncJob): api.ResyncJob {
  return {
    id: job.id,
    status: job.status,
    total: job.total,
    processed: job.processed,
    promoted: job.promoted,
    demoted: job.demoted,
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    error: job.error,
  };
}
