import type { ReferralStatus } from '@laurel/contract';
import { type CompletionCriteria, type Program, wasDisabledAt, wasEnabledAt } from './program';

export type StatusCounts = Record<ReferralStatus, number>;

const DAY_MS = 86_400_000;

/** Who brought whom. A client that was deleted is null. */
export interface Referral {
  id: string;
  workspace_id: string;
  referrer_client_id: string | null;
  referee_client_id: string | null;
  referral_code: string;
  status: ReferralStatus;
  /** As the program said when the referral was made; later changes are for later referrals. */
  completion_criteria: CompletionCriteria;
  qualifying_event_type: string | null;
  qualifying_event_id: string | null;
  completed_at: Date | null;
  cancelled_at: Date | null;
  expires_at: Date | null;
  date_created: Date;
  date_updated: Date;
}

export interface Parties {
  referrerId: string;
  refereeId: string;
  code: string;
}

export function newReferral(
  { id, now }: { id: string; now: Date },
  program: Program,
  parties: Parties,
): Referral {
  const { pending_expiry_days: days } = program;
  return {
    id,
    workspace_id: program.workspace_id,
    referrer_client_id: parties.referrerId,
    referee_client_id: parties.refereeId,
    referral_code: parties.code,
    status: 'pending',
    completion_criteria: program.completion_criteria,
    qualifying_event_type: null,
    qualifying_event_id: null,
    completed_at: null,
    cancelled_at: null,
    expires_at: days === null ? null : new Date(now.getTime() + days * DAY_MS),
    date_created: now,
    date_updated: now,
  };
}

/** Something a referee did that may complete a referral. */
export interface Deed {
  criteria: CompletionCriteria;
  eventType: string;
  eventId: string;
  /** When it happened, as its reporter says. */
  happenedAt: Date;
  /** When the platform learned of it. */
  recordedAt: Date;
}

/**
 * Whether a deed completes a referral that is pending, or that expired before a deed was heard of which was recorded in time;
 * but for the referrer's cap, which only the write can tell.
 */
export function qualifies(referral: Referral, program: Program, deed: Deed): boolean {
  return (
    (referral.status === 'pending' || referral.status === 'expired') &&
    referral.completion_criteria === deed.criteria &&
    deed.happenedAt > referral.date_created &&
    (referral.expires_at === null || deed.recordedAt < referral.expires_at) &&
    wasEnabledAt(program, deed.recordedAt) &&
    !wasDisabledAt(program, deed.happenedAt)
  );
}
