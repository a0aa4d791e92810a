import type { PieceJob } from '@laurel/work';
import type { Deps } from '../deps';
import type { Process } from '../store/processes';
import { CLAIM_MS, runProcess } from './run-process';

/** Takes up processes that their makers did not finish; workspaces take turns. */
export const processSweeper = (deps: Deps): PieceJob<Process> => ({
  name: 'processes',
  due: deps.processes.due,
  concurrency: 4,
  share: 1,
  leaseMs: CLAIM_MS,
  clock: deps.clock,
  work: (process) => runProcess(deps, process),
});
