import { keptOperation, runInContext, stableId } from '@laurel/lifecycle';
import type { Enrollment } from '../../domain/enrollment/enrollment';

/** Runs a step under a name of its own, which a repeat has again: the service that is asked answers it as the first time. */
export function inOperation<T>(
  { id }: Pick<Enrollment, 'id'>,
  step: string,
  work: () => Promise<T>,
): Promise<T> {
  const operationId = stableId(`enrollment:${id}:${step}`);
  return runInContext(keptOperation(operationId), work);
}
