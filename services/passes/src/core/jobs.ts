import type { Job } from '@laurel/lifecycle';
import type { CoreDeps } from './deps';

export const coreJobs = (_deps: CoreDeps): Job[] => [];
