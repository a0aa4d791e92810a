import { type Job, workerJob } from '@laurel/lifecycle';
import type { Deps } from './deps';
import { launchDue } from './use-cases/launch-due';
import { campaignWorker } from './use-cases/work-campaigns';

/** schedule -> use case. What each takes up is claimed, so that replicas share the work. */
export const jobs = (deps: Deps): Job[] => [
  { name: 'launch-due', everyMs: 1_000, run: () => launchDue(deps) },
  workerJob({ ...campaignWorker(deps), everyMs: 500 }, deps.logger),
];
