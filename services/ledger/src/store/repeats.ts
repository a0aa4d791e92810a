import type { Context } from '@laurel/lifecycle';
import { refuseAnotherRequest } from '@laurel/mongo';
import type { Outcome } from './command';
import type { EntryDocument } from './documents';
import type { EntryStore, Repeatable } from './entries';

/** An operation, and the request that it is part of. */
interface Asked {
  operationId: string;
  context: Context;
}

/**
 * What came of a command that was given before, under its operation or else under its claim; throws CONFLICT where its
 * Idempotency-Key stood for another request.
 */
export async function findRepeat(
  entries: Pick<EntryStore, 'findRepeats'>,
  command: Repeatable & Asked,
): Promise<Outcome | null> {
  return repeatIn(await entries.findRepeats([command]), command);
}

/** The same, among entries of its workspace that were found. */
export function repeatIn(
  found: readonly EntryDocument[],
  command: Asked & { claim?: string | undefined },
): Outcome | null {
  const { operationId, claim } = command;
  const byOperation = found.find((entry) => entry.operation_id === operationId);
  if (byOperation) {
    refuseAnotherRequest(operationId, byOperation.cause, command.context);
    return { entry: byOperation, replayed: 'operation' };
  }
  const entry = found.find((one) => claim !== undefined && one.claim === claim);
  return entry ? { entry, replayed: 'claim' } : null;
}
