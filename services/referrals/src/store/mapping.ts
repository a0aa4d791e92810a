import type { referrals as api } from '@laurel/rpc';
import type { Program } from '../domain/program';
import type { Referral } from '../domain/referral';

export interface ReferralDocument extends Omit<Referral, 'id'> {
  _id: string;
  program_id: string;
  /** The referee, while this is the referral that says by whom they were brought. */
  referee_key?: string;
  /** When it expires; there while that is still to come. */
  due_at?: Date;
  /** The command that made it, so that its repetition is told from somebody else's. */
  operation_id: string;
  /** The batch that closed it. */
  closed_by?: string;
}

export function toReferral(document: ReferralDocument): Referral {
  const {
    _id,
    program_id: _program,
    referee_key: _key,
    due_at: _due,
    operation_id: _operation,
    closed_by: _batch,
    ...columns
  } = document;
  return { ...columns, id: _id };
}

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export function presentReferral(referral: Referral): api.Referral {
  return {
    ...referral,
    completed_at: iso(referral.completed_at),
    cancelled_at: iso(referral.cancelled_at),
    expires_at: iso(referral.expires_at),
    date_created: referral.date_created.toISOString(),
    date_updated: referral.date_updated.toISOString(),
  };
}

export function presentProgram(program: Program): api.Program {
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
