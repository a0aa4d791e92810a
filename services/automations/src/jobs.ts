import type { Job } from '@laurel/lifecycle';
import type { Deps } from './deps';
import { openRuns } from './use-cases/open-runs';
import { sweepExecutions } from './use-cases/sweep-executions';
import { workBacktest } from './use-cases/work-backtest';
import { workRun } from './use-cases/work-run';

const SECOND_MS = 1_000;

/** schedule -> use case. What each takes up is claimed, so that replicas share the work. */
export const jobs = (deps: Deps): Job[] => [
  { name: 'open-runs', everyMs: 5 * SECOND_MS, run: () => openRuns(deps) },
  { name: 'work-runs', everyMs: 2 * SECOND_MS, run: () => workRun(deps) },
  { name: 'work-backtests', everyMs: SECOND_MS, run: () => workBacktest(deps) },
  { name: 'sweep-executions', everyMs: 5 * SECOND_MS, run: () => sweepExecutions(deps) },
];
