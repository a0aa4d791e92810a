import { type Job, workerJob } from '@laurel/lifecycle';
import type { CoreDeps } from './deps';
import { endTemporaryTemplates } from './use-cases/end-temporary-templates';
import { finishMigrations } from './use-cases/migrate-template';
import { templateRefreshWorker } from './use-cases/work-template-refreshes';

const SECOND_MS = 1_000;

/** Projects, templates and passes: schedule -> use case. */
export const coreJobs = (deps: CoreDeps): Job[] => [
  {
    name: 'end-temporary-templates',
    everyMs: 5 * SECOND_MS,
    run: () => endTemporaryTemplates(deps),
  },
  {
    name: 'finish-migrations',
    everyMs: 15 * SECOND_MS,
    run: async () => {
      await finishMigrations(deps);
      return undefined;
    },
  },
  workerJob({ ...templateRefreshWorker(deps), everyMs: SECOND_MS }, deps.logger),
];
