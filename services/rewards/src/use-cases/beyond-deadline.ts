import { currentContext, runInContext } from '@laurel/lifecycle';

/** Runs what must be tried even when the caller no longer waits: the same context, without its deadline. */
export function beyondDeadline<T>(work: () => Promise<T>): Promise<T> {
  const { deadlineAt: _deadline, ...context } = currentContext();
  return runInContext(context, work);
}
