import {
  Neighbours,
  neighboursPer,
  runInContext,
  soonestOf,
  type Waiting,
} from '@laurel/lifecycle';
import { isOfSome, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { Execution } from '../store/execution-document';

interface Step {
  deps: Deps;
  execution: Execution;
  /** From when on somebody else may take it over. */
  takeOverAt: Date;
}

const beginnersOf = neighboursPer(
  (): Neighbours<Step, Execution> => new Neighbours(beginAll, undefined, isOfSome),
);

/**
 * Begins an execution that nothing limits, and counts it, in one transaction with those that the same workspace begins
 * at that moment: what one adds depends on no other.
 */
export function beginTogether(
  deps: Deps,
  execution: Execution,
  takeOverAt: Date,
): Promise<Execution> {
  const step = { deps, execution, takeOverAt };
  return beginnersOf(deps.connection).run(execution.workspaceId, step);
}

async function beginAll(steps: readonly Waiting<Step>[]): Promise<Execution[]> {
  const [{ item }] = steps as [Waiting<Step>, ...Waiting<Step>[]];
  const { deps, takeOverAt } = item;
  const executions = steps.map((step) => step.item.execution);
  const counted = executions.map(({ reserved, ...of }) => ({ ...of, points: reserved }));
  await runInContext(soonestOf(steps.map(({ context }) => context)), () =>
    unitOfWork(deps.connection, async (session) => {
      await deps.usages.countAll(counted, session);
      await deps.executions.insertAll(executions, takeOverAt, session);
    }),
  );
  return executions;
}

type Ending = Omit<Step, 'takeOverAt'>;

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
