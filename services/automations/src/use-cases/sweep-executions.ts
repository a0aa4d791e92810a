import { runInContext, systemContext } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { TAKE_OVER_MS } from './decide-execution';
import { runExecution } from './run-execution';

const BATCH = 20;

/** Goes on with executions whose runner has died or met a fault. */
export async function sweepExecutions(deps: Deps): Promise<{ more: boolean }> {
  const abandoned = await deps.executions.claimAbandoned(deps.clock.now(), TAKE_OVER_MS, BATCH);
  for (const execution of abandoned) {
    const context = systemContext({ workspaceId: execution.workspaceId });
    try {
      await runInContext(context, () => runExecution(deps, execution));
    } catch (error) {
      deps.logger.warn({ err: error, execution: execution.id }, 'an execution waits for a service');
    }
  }
  return { more: abandoned.length === BATCH };
}
