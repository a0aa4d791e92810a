import type { Job } from '@laurel/work';
import type { Deps } from './deps';
import { expireReferrals } from './use-cases/expire-referrals';
import { finishDeletions } from './use-cases/finish-deletions';

const FINISH_EVERY_MS = 30_000;

/**
 * What this service does by itself -> use case. Being alone only spares replicas from getting in each other's way: what
 * keeps each referral from being closed twice is the condition in the write.
 */
export const jobs = (deps: Deps): Job[] => [
  {
    name: 'expire-referrals',
    due: deps.closings.due,
    alone: true,
    clock: deps.clock,
    work: () => expireReferrals(deps),
  },
  { name: 'finish-deletions', every: FINISH_EVERY_MS, work: () => finishDeletions(deps) },
];
