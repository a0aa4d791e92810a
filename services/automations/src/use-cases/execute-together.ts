import {
  Neighbours,
  neighboursPer,
  runInContext,
  soonestOf,
  type Waiting,
} from '@laurel/lifecycle';
import { isOfSome, unitOfWork } from '@laurel/mongo';
import { ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import type { Limits } from '../domain/rule';
import type { Execution } from '../store/execution-document';
import { type Bounded, isLimited, useUp } from './keep-limits';

/** An execution as it is once it has ended. */
export function ended(
  execution: Execution,
  outcome: Pick<Execution, 'status' | 'errorMessage'> & Partial<Execution>,
  now: Date,
): Execution {
  const durationMs = now.getTime() - execution.startedAt.getTime();
  return { ...execution, ...outcome, executedAt: now, durationMs };
}

/** An execution that is to begin unless a limit is reached, and from when on another may take it over. */
interface Beginning extends Bounded {
  takeOverAt: Date;
}

type Step = Beginning & { deps: Deps };

const beginnersOf = neighboursPer(
  (): Neighbours<Step, Execution> => new Neighbours(beginAll, undefined, isOfSome),
);

/**
 * Begins an execution, and counts it, in one transaction with those that the same workspace begins at that moment; one for
 * which a limit is reached is skipped. What is limited does not hold up what is not.
 */
export function beginTogether(deps: Deps, beginning: Beginning): Promise<Execution> {
  const { execution, bounds } = beginning;
  const lane = `${execution.workspaceId}${isLimited(bounds.limits) ? ' limited' : ''}`;
  return beginnersOf(deps.connection).run(lane, { ...beginning, deps });
}

async function beginAll(steps: readonly Waiting<Step>[]): Promise<Execution[]> {
  const [{ item }] = steps as [Waiting<Step>, ...Waiting<Step>[]];
  const { deps } = item;
  const beginnings = steps.map((step) => step.item);
  return runInContext(soonestOf(steps.map(({ context }) => context)), () =>
    unitOfWork(deps.connection, async (session) => {
      const limits = await useUp(deps, beginnings, session);
      const decided = beginnings.map((beginning, at) => {
        const limit = limits[at];
        return limit ? { execution: skipped(deps, beginning, limit), takeOverAt: null } : beginning;
      });
      await deps.executions.insertAll(decided, session);
      return decided.map(({ execution }) => execution);
    }),
  );
}

function skipped({ clock }: Deps, { execution }: Beginning, limit: keyof Limits): Execution {
  const outcome = { status: 'skipped', errorMessage: `limit_reached: ${limit}` } as const;
  return ended(execution, { ...outcome, effects: [], reserved: ZERO }, clock.now());
}

type Ending = Pick<Step, 'deps' | 'execution'>;

const endersOf = neighboursPer(
  (): Neighbours<Ending, boolean> => new Neighbours(endAll, undefined, isOfSome),
);

/**
 * Ends an execution that leaves nothing else to be written, in one write with those that the same workspace ends at that
 * moment. False where somebody else has ended it or one of those: then it is to be read how it stands.
 */
export const endTogether = (deps: Deps, execution: Execution): Promise<boolean> =>
  endersOf(deps.connection).run(execution.workspaceId, { deps, execution });

async function endAll(endings: readonly Waiting<Ending>[]): Promise<boolean[]> {
  const [{ item }] = endings as [Waiting<Ending>, ...Waiting<Ending>[]];
  const isDone = await item.deps.executions.endAll(endings.map((one) => one.item.execution));
  return endings.map(() => isDone);
}
