import type { Job } from '@laurel/work';
import { coreJobs } from './core/jobs';
import type { Deps } from './deps';
import { enrollmentJobs } from './enrollment/part';
import { mobileJobs } from './mobile/part';
import { walletJobs } from './wallet/part';

/** schedule -> use case. */
export const jobs = (deps: Deps): Job[] => [
  ...coreJobs(deps),
  ...walletJobs(deps),
  ...enrollmentJobs(deps),
  ...mobileJobs(deps),
];
