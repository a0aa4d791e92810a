import type { Deps } from '../deps';
import { CLAIM_MS, runProcess } from './run-process';

/** Takes up one process that its maker did not finish; says whether more may be waiting. */
export async function sweepProcesses(deps: Deps): Promise<{ more: boolean }> {
  const now = deps.clock.now();
  const process = await deps.processes.claimDue(now, new Date(now.getTime() + CLAIM_MS));
  if (!process) return { more: false };
  await runProcess(deps, process).catch(() => undefined);
  return { more: true };
}
