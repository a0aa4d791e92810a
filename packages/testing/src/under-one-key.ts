import { newId, runInContext, systemContext } from '@laurel/lifecycle';

/** What somebody does under one Idempotency-Key: called again it is the repeat, as after an answer that was lost. */
export function underOneKey<T>(work: () => Promise<T>): () => Promise<T> {
  const context = systemContext({ operationId: newId(), operationKept: true });
  return () => runInContext(context, work);
}
