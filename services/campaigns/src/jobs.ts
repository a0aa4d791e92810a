import type { Job } from '@laurel/work';
import type { Deps } from './deps';
import { launchDue } from './use-cases/launch-due';
import { partWorker } from './use-cases/serve-part';
import { campaignWorker } from './use-cases/work-campaigns';

/** What this service does by itself -> use case. */
export const jobs = (deps: Deps): Job[] => [
  {
    name: 'launch-due',
    due: deps.campaigns.launches,
    clock: deps.clock,
    work: () => launchDue(deps),
  },
  campaignWorker(deps),
  partWorker(deps),
];
