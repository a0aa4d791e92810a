import { type Job, workerJob } from '@laurel/work';
import type { CoreDeps } from './deps';
import { endTemporaryTemplates } from './use-cases/end-temporary-templates';
import { finishMigrations } from './use-cases/migrate-template';
import { templateRefreshWorker } from './use-cases/work-template-refreshes';

const MIGRATIONS_MS = 15_000;

/** Projects, templates and passes: what runs by itself -> use case. */
export const coreJobs = (deps: CoreDeps): Job[] => [
  {
    name: 'end-temporary-templates',
    due: deps.passes.expiries,
    clock: deps.clock,
    work: () => endTemporaryTemplates(deps),
  },
  {
    name: 'finish-migrations',
    every: MIGRATIONS_MS,
    work: async () => {
      await finishMigrations(deps);
      return undefined;
    },
  },
  workerJob(templateRefreshWorker(deps), deps.templateRefreshes.due),
];
