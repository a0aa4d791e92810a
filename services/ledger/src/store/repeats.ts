import type { Outcome } from './command';
import type { EntryStore, Repeatable } from './entries';

/** What came of a command that was given before, under its operation or else under its claim. */
export async function findRepeat(
  entries: Pick<EntryStore, 'findRepeats'>,
  command: Repeatable,
): Promise<Outcome | null> {
  const found = await entries.findRepeats([command]);
  const byOperation = found.find((entry) => entry.operation_id === command.operationId);
  const entry = byOperation ?? found[0];
  return entry ? { entry, replayed: byOperation ? 'operation' : 'claim' } : null;
}
