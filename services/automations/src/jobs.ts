import type { Job } from '@laurel/work';
import type { Deps } from './deps';
import { openRuns } from './use-cases/open-runs';
import { executionSweeper } from './use-cases/sweep-executions';
import type { Triggers } from './use-cases/take-triggers';
import { backtestWorker } from './use-cases/work-backtest';
import { runReader, runWorker } from './use-cases/work-run';

const DAY_MS = 86_400_000;

/** What this service does by itself -> use case. What each takes up is claimed, so that replicas share the work. */
export const jobs = (deps: Deps, triggers: Triggers, executionsDays: number): Job[] => [
  { name: 'open-runs', due: deps.rules.due, clock: deps.clock, work: () => openRuns(deps) },
  runReader(deps),
  runWorker(deps),
  backtestWorker(deps),
  executionSweeper(deps),
  triggers.backlog,
  {
    name: 'forget-old-executions',
    every: DAY_MS,
    alone: true,
    work: () =>
      deps.executions.removeEnded(new Date(deps.clock.now().getTime() - executionsDays * DAY_MS)),
  },
];
