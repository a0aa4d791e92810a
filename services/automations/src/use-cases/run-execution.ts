import { isFinalRefusal, platform, Refusal } from '@laurel/errors';
import { type CloudEvent, isOutage } from '@laurel/events';
import { currentContext, runInContext } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { successorOf } from '@laurel/rpc';
import { subtract, type Units, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { endOf, pointsAwarded } from '../domain/execution';
import type { Execution } from '../store/execution-document';
import { type Applied, applyEffect, type EffectStep, isLeftOutForClient } from './apply-effect';
import { TAKE_OVER_MS } from './decide-execution';
import { ended, endTogether } from './execute-together';

/** An execution that has come up as often as this, each time with a fault, is given up. One that waits for a service is not. */
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
    let isBesideAnother = false;
    while (current?.status === 'running' && isUnfinished(current)) {
      const mayBeDone = isBesideAnother || (isResumed && current === execution);
      const step: Step = await takeStep(deps, current, mayBeDone);
      // Another process goes on with it as well, and may have done what it has yet to note.
      if (step.isOvertaken) isBesideAnother = true;
      current = step.execution;
    }
    // Without effects, or left by somebody between its last effect and its end.
    const left = current;
    if (left?.status === 'running') await end(deps, closingOf(deps, left), []);
  });
}

const isUnfinished = ({ results, effects }: Execution): boolean => results.length < effects.length;

/** An execution after one of its effects. */
interface Step {
  /** As this process left it, or the one that was faster did; null where it is gone. */
  execution: Execution | null;
  /** Another process has noted what came of the effect. */
  isOvertaken: boolean;
}

/** Does the next effect of an execution. What comes of the last one is its end, in the same transaction. */
async function takeStep(deps: Deps, execution: Execution, mayBeDone: boolean): Promise<Step> {
  const position = execution.results.length;
  const { type } = execution.effects[position]!;
  const isStopped = execution.results.some(({ status }) => status === 'failed');
  const outcome = isStopped
    ? { result: { type, status: 'not_run' as const }, events: [] }
    : await attempt(deps, execution, { position, mayBeDone });
  const noted = { ...execution, results: [...execution.results, outcome.result] };
  const after = isUnfinished(noted)
    ? (await note(deps, execution, outcome)) && noted
    : await end(deps, closingOf(deps, noted), outcome.events);
  if (after) return { execution: after, isOvertaken: false };
  const current = await deps.executions.find(execution.workspaceId, execution.id);
  return { execution: current, isOvertaken: true };
}

/** Notes what came of an effect that is not the last; false where somebody else has. */
async function note(
  deps: Deps,
  execution: Execution,
  { result, events }: Applied,
): Promise<boolean> {
  const takeOverAt = new Date(deps.clock.now().getTime() + TAKE_OVER_MS);
  return unitOfWork(deps.connection, async (session) => {
    const isNoted = await deps.executions.addResult(execution, { result, takeOverAt }, session);
    if (isNoted) await deps.outbox.append(events, session);
    return isNoted;
  });
}

async function attempt(deps: Deps, execution: Execution, step: EffectStep): Promise<Applied> {
  const { type } = execution.effects[step.position]!;
  try {
    return await applyForHeir(deps, step.mayBeDone ? asBegun(execution) : execution, step);
  } catch (error) {
    const isFinal = isFinalRefusal(error);
    const mayComeUpAgain = isOutage(error) || execution.attempts < ATTEMPTS_MAX;
    if (!isFinal && mayComeUpAgain) throw error;
    const reason = error instanceof Refusal ? error.message : 'a service did not answer';
    if (!isFinal)
      deps.logger.error({ err: error, execution: execution.id }, 'an effect was given up');
    return { result: { type, status: 'failed' as const, reason }, events: [] };
  }
}

/** What was done before a merge was done for the client of then: a service that is asked in that name answers as the first time. */
const asBegun = (execution: Execution): Execution => ({
  ...execution,
  clientId: execution.trigger.clientId,
});

/** Does an effect. What is refused to a client that is no more, or left out for it, is due to whom that one became. */
async function applyForHeir(deps: Deps, execution: Execution, step: EffectStep): Promise<Applied> {
  const outcome = await applyEffect(deps, execution, step).then(
    (applied) => ({ applied }),
    (refusal: unknown) => ({ refusal }),
  );
  const isRefused = 'refusal' in outcome;
  const mayBeHeirs = isRefused
    ? isFinalRefusal(outcome.refusal)
    : isLeftOutForClient(outcome.applied);
  const { workspaceId, clientId } = execution;
  const heir = mayBeHeirs ? await successorOf(deps.clients, workspaceId, clientId) : null;
  if (heir !== null) {
    const applied = await applyForHeir(deps, { ...execution, clientId: heir }, step);
    // Who refused has not heard of the merge: what is to be taken from the one will be the other's.
    if (isRefused && isLeftOutForClient(applied)) throw platform.serviceUnavailable();
    return applied;
  }
  if (isRefused) throw outcome.refusal;
  return outcome.applied;
}

/** An execution as it is to end, and what it gives back. */
interface Closing {
  done: Execution;
  unused: { points: Units; executions: number };
}

/** What was set aside and not awarded goes back, and the place in the limits of one that did nothing (part 4, section 6). */
function closingOf(deps: Deps, execution: Execution): Closing {
  const awarded = pointsAwarded(execution.results);
  const done = ended(execution, { ...endOf(execution.results), awarded }, deps.clock.now());
  const executions = done.status === 'success' ? 0 : 1;
  return { done, unused: { points: subtract(execution.reserved, awarded), executions } };
}

/** Ends and shows an execution. False where somebody else has. */
async function end(
  deps: Deps,
  { done, unused }: Closing,
  events: readonly CloudEvent[],
): Promise<Execution | false> {
  const givesBack = unused.points !== ZERO || unused.executions > 0;
  if (!givesBack && events.length === 0) return (await endTogether(deps, done)) && done;
  return unitOfWork(deps.connection, async (session) => {
    if (!(await deps.executions.end(done, session))) return false;
    const { workspaceId, ruleId, clientId } = done;
    const current = await deps.departures.currentOf(workspaceId, clientId);
    const clientIds = [clientId, current.clientId];
    await deps.usages.giveBack({ workspaceId, ruleId, clientIds }, unused, session);
    await deps.outbox.append(events, session);
    return done;
  });
}
