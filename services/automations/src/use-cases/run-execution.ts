import { subtract } from '@laurel/amount';
import { Refusal } from '@laurel/errors';
import { currentContext, runInContext } from '@laurel/lifecycle';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { endOf, pointsAwarded } from '../domain/execution';
import type { Execution } from '../store/execution-document';
import { applyEffect } from './apply-effect';
import { ended, TAKE_OVER_MS } from './decide-execution';

/** Whoever finds an execution as often as this, each time with a fault, gives it up. */
const ATTEMPTS_MAX = 12;

/**
 * Takes an execution from where it stands to its end: effects in order, each noted once it is done.
 * Every effect bears a name made from the execution, under which the service that does it does it
 * once, so that dying between the effect and the note repeats nothing. A refusal fails the effect and
 * leaves out the rest; a fault is thrown, for the event to come again or the sweeper to go on.
 *
 * @param isResumed somebody has worked on it before
 */
export async function runExecution(
  deps: Deps,
  execution: Execution,
  isResumed: boolean,
): Promise<void> {
  const { chain, depth, ruleId } = execution;
  const context = {
    ...currentContext(),
    workspaceId: execution.workspaceId,
    chain: [...chain, ruleId],
    depth: depth + 1,
  };
  await runInContext(context, async () => {
    let current: Execution | null = execution;
    while (current?.status === 'running' && isUnfinished(current))
      current = await takeStep(deps, current, isResumed && current === execution);
    // Without effects, or left by somebody between its last effect and its end.
    const left = current;
    if (left?.status === 'running')
      await unitOfWork(deps.connection, (session) => end(deps, left, session));
  });
}

const isUnfinished = ({ results, effects }: Execution): boolean => results.length < effects.length;

/**
 * The execution after its next effect; where another process was faster, as that one left it. What comes of the last
 * effect is its end, in the same transaction.
 */
async function takeStep(
  deps: Deps,
  execution: Execution,
  mayBeDone: boolean,
): Promise<Execution | null> {
  const position = execution.results.length;
  const { type } = execution.effects[position]!;
  const isStopped = execution.results.some(({ status }) => status === 'failed');
  const outcome = isStopped
    ? { result: { type, status: 'not_run' as const }, events: [] }
    : await attempt(deps, execution, { position, mayBeDone });
  const noted = { ...execution, results: [...execution.results, outcome.result] };
  const takeOverAt = new Date(deps.clock.now().getTime() + TAKE_OVER_MS);
  const after = await unitOfWork(deps.connection, async (session) => {
    const next = isUnfinished(noted)
      ? (await deps.executions.addResult(execution, outcome.result, takeOverAt, session)) && noted
      : await end(deps, noted, session);
    if (next) await deps.outbox.append(outcome.events, session);
    return next;
  });
  return after || deps.executions.find(execution.workspaceId, execution.id);
}

async function attempt(
  deps: Deps,
  execution: Execution,
  step: { position: number; mayBeDone: boolean },
) {
  const { type } = execution.effects[step.position]!;
  try {
    return await applyEffect(deps, execution, step);
  } catch (error) {
    const isFinal = error instanceof Refusal ? error.httpStatus < 500 : false;
    if (!isFinal && execution.attempts < ATTEMPTS_MAX) throw error;
    const reason = error instanceof Refusal ? error.message : 'a service did not answer';
    if (!isFinal)
      deps.logger.error({ err: error, execution: execution.id }, 'an effect was given up');
    return { result: { type, status: 'failed' as const, reason }, events: [] };
  }
}

/**
 * Gives back what was set aside and not awarded, and the place in the limits of one that did nothing (part 4, section 6),
 * and shows the execution. False where somebody else has.
 */
async function end(deps: Deps, execution: Execution, session: Session): Promise<Execution | false> {
  const awarded = pointsAwarded(execution.results);
  const done = ended(execution, { ...endOf(execution.results), awarded }, deps.clock.now());
  if (!(await deps.executions.end(done, session))) return false;
  const { workspaceId, ruleId, clientId, reserved } = execution;
  const points = subtract(reserved, awarded);
  const executions = done.status === 'success' ? 0 : 1;
  const key = { workspaceId, ruleId, clientId };
  await deps.usages.giveBack(key, { points, executions }, session);
  return done;
}
