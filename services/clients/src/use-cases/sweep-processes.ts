import type { WorkerSpec } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import type { Process } from '../store/processes';
import { CLAIM_MS, runProcess } from './run-process';

/** Takes up processes that their makers did not finish; workspaces take turns. */
export const processSweeper = (deps: Deps): WorkerSpec<Process> => ({
  name: 'processes',
  concurrency: 4,
  share: 1,
  claim: (room) => {
    const now = deps.clock.now();
    return deps.processes.claim(room, now, new Date(now.getTime() + CLAIM_MS));
  },
  turnOf: ({ workspaceId }) => workspaceId,
  // What failed is logged and comes up again.
  work: (process) => runProcess(deps, process).catch(() => undefined),
});
