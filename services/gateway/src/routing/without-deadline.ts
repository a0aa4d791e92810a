import { type Context, currentContext, runInContext } from '@laurel/lifecycle';

/** Runs work that may take longer than a request otherwise may: a large upload, the proof of a whole ledger. */
export function withoutDeadline<T>(work: () => Promise<T>): Promise<T> {
  const { deadlineAt: _deadlineAt, ...context }: Context = currentContext();
  return runInContext(context, work);
}
