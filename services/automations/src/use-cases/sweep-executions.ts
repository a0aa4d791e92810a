import { isOutage } from '@laurel/events';
import { runInContext, systemContext } from '@laurel/lifecycle';
import type { Claimed, PieceJob } from '@laurel/work';
import type { Deps } from '../deps';
import type { Execution } from '../store/execution-document';
import { TAKE_OVER_MS } from './decide-execution';
import { runExecution } from './run-execution';

/** A service that is away is back soon. */
const AWAY_MS = 10_000;
/** The outage of a service says nothing about what it kept from its end. */
const UNCOUNTED = { $inc: { attempts: -1 } };

/** Goes on with executions whose runner has died or met a fault; workspaces take turns. */
export const executionSweeper = (deps: Deps): PieceJob<Execution> => ({
  name: 'sweep-executions',
  due: deps.executions.due,
  concurrency: 8,
  share: 2,
  leaseMs: TAKE_OVER_MS,
  clock: deps.clock,
  work: (execution, claim) => goOn(deps, execution, claim),
});

async function goOn(deps: Deps, execution: Execution, claim: Claimed<Execution>): Promise<void> {
  const context = systemContext({ workspaceId: execution.workspaceId, background: true });
  try {
    await runInContext(context, () => runExecution(deps, execution, true));
    await deps.departures.catchUp(deps, execution);
    await deps.executions.due.finish(claim);
  } catch (error) {
    deps.logger.warn({ err: error, execution: execution.id }, 'an execution waits for a service');
    if (!isOutage(error)) return;
    const retryAt = new Date(deps.clock.now().getTime() + AWAY_MS);
    await deps.executions.due.postpone(claim, retryAt, UNCOUNTED);
  }
}
