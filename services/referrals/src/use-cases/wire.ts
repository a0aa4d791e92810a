import type { referrals as api } from '@laurel/rpc';
import type { Program } from '../domain/program';
import type { Referral } from '../domain/referral';

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export function toReferralReply(referral: Referral): api.Referral {
  return {
    ...referral,
    completed_at: iso(referral.completed_at),
    cancelled_at: iso(referral.cancelled_at),
    expires_at: iso(referral.expires_at),
    date_created: referral.date_created.toISOString(),
    date_updated: referral.date_updated.toISOString(),
  };
}

export function toProgramReply(program: Program): api.Program {
  return {
    id: program.id,
    workspace_id: program.workspace_id,
    enabled: program.enabled,
    completion_criteria: program.completion_criteria,
    distribution_id: program.distribution_id,
    pending_expiry_days: program.pending_expiry_days,
    max_referrals_per_referrer: program.max_referrals_per_referrer,
    date_created: program.date_created.toISOString(),
    date_updated: program.date_updated.toISOString(),
  };
}
