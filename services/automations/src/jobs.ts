import { type Job, type WorkerSpec, workerJob } from '@laurel/lifecycle';
import type { Deps } from './deps';
import { openRuns } from './use-cases/open-runs';
import { executionSweeper } from './use-cases/sweep-executions';
import { backtestWorker } from './use-cases/work-backtest';
import { runWorker } from './use-cases/work-run';

const SECOND_MS = 1_000;

/** schedule -> use case. What each takes up is claimed, so that replicas share the work. */
export function jobs(deps: Deps): Job[] {
  const every = <Row>(seconds: number, spec: WorkerSpec<Row>): Job =>
    workerJob({ ...spec, everyMs: seconds * SECOND_MS }, deps.logger);
  return [
    { name: 'open-runs', everyMs: 5 * SECOND_MS, run: () => openRuns(deps) },
    every(2, runWorker(deps)),
    every(1, backtestWorker(deps)),
    every(5, executionSweeper(deps)),
  ];
}
