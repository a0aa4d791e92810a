import type { Job } from '@laurel/lifecycle';
import type { Deps } from './deps';
import { sweepCancellations } from './use-cases/sweep-cancellations';
import { sweepRedemptions } from './use-cases/sweep-redemptions';

const EVERY_MS = 2_000;

/** schedule -> use case; each claims what it works on, so that any number of replicas may run them. */
export const jobs = (deps: Deps): Job[] => [
  { name: 'sweep-redemptions', everyMs: EVERY_MS, run: () => sweepRedemptions(deps) },
  { name: 'sweep-cancellations', everyMs: EVERY_MS, run: () => sweepCancellations(deps) },
];
