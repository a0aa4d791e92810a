import { resealJob } from '@laurel/secrets';
import type { Job } from '@laurel/work';
import type { Deps } from './deps';
import { confirmationCatchUp } from './use-cases/enrollment/finish-enrollment';
import { sweepEnrollments } from './use-cases/enrollment/sweep-enrollments';
import { operationCatchUp } from './use-cases/mobile/record-operation';
import { endTemporaryTemplates } from './use-cases/template/end-temporary-templates';
import { finishMigrations } from './use-cases/template/migrate-template';
import { templateRefreshWorker } from './use-cases/template/work-template-refreshes';
import { forgetRetiredPasses, silenceRetiredPasses } from './use-cases/wallet/forget';
import { pushWorker } from './use-cases/wallet/push-updates';
import { pushWaiting } from './use-cases/wallet/push-waiting';

const MIGRATIONS_MS = 15_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Each time some of what waits is asked for: so often that a large workspace is through within the hour. */
const WAITING_MS = 10_000;

/** schedule -> use case. */
export const jobs = (deps: Deps): Job[] => [
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
  templateRefreshWorker(deps),
  pushWorker(deps),
  {
    name: 'push-what-waits-for-credentials',
    every: WAITING_MS,
    alone: true,
    work: async () => {
      await pushWaiting(deps);
      return undefined;
    },
  },
  resealJob({
    name: 'reseal-wallet-credentials',
    rows: deps.credentialsStore.sealed,
    vault: deps.vault,
    logger: deps.logger,
  }),
  resealJob({
    name: 'reseal-link-keys',
    rows: deps.linkKeys.sealed,
    vault: deps.vault,
    logger: deps.logger,
  }),
  { name: 'forget-retired-passes', every: MINUTE_MS, work: () => forgetRetiredPasses(deps) },
  {
    name: 'silence-retired-passes',
    every: HOUR_MS,
    alone: true,
    work: async () => {
      await silenceRetiredPasses(deps);
      return undefined;
    },
  },
  {
    name: 'sweep-enrollments',
    due: deps.enrollments.due,
    clock: deps.clock,
    work: () => sweepEnrollments(deps),
  },
  operationCatchUp(deps),
  confirmationCatchUp(deps),
  ...deps.messages.jobs,
];
