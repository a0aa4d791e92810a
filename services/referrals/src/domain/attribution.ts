import type { Program } from './program';

/** What becomes of a code that somebody enters, but for `error`, which is the word of a caller who could not ask. */
export const OUTCOMES = [
  'applied',
  'invalid_code',
  'program_disabled',
  'self_referral',
  'referrer_not_enrolled',
  'already_attributed',
  'not_eligible',
  'referrer_at_cap',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface AttributionFacts {
  /** null when the workspace has none. */
  program: Program | null;
  /** The code belongs to the very person who enters it. */
  isOwnCode: boolean;
  referrerEnrolled: boolean;
  /** The referee has a referral, of whatever status. */
  isAttributed: boolean;
  /** The referee was in the loyalty program before. */
  wasEnrolled: boolean;
  /** The referee, or a person they brought, brought the referrer. */
  closesCycle: boolean;
  referrerCompleted: number;
}

/** Decides on a code whose owner is known. The order is part 3, section 16. */
export function outcomeOf(facts: AttributionFacts): Outcome {
  const { program } = facts;
  if (!program?.enabled) return 'program_disabled';
  if (facts.isOwnCode) return 'self_referral';
  if (!facts.referrerEnrolled) return 'referrer_not_enrolled';
  if (facts.isAttributed) return 'already_attributed';
  if (facts.wasEnrolled || facts.closesCycle) return 'not_eligible';
  const cap = program.max_referrals_per_referrer;
  if (cap !== null && facts.referrerCompleted >= cap) return 'referrer_at_cap';
  return 'applied';
}
