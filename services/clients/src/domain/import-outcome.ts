import type { ImportOutcome } from '@laurel/contract';
import type { ClientFields } from './client';

export type ImportMode = 'create' | 'upsert';

/** Why a row whose address is somebody's is refused. */
export const EMAIL_TAKEN = 'email is taken by another client of the workspace';

/** What an import does with a row that can be read, by whether its address is somebody's by then. */
export function outcomeOf(isTaken: boolean, mode: ImportMode): ImportOutcome {
  if (!isTaken) return 'create';
  return mode === 'create' ? 'refuse' : 'update';
}

/** What would become of one row. */
export interface ForetoldRow {
  outcome: ImportOutcome;
  /** Why it would be refused. */
  problem: string | null;
  /** The row before it that makes the client of its address, counted from 1. */
  earlierRow: number | null;
}

/**
 * What would become of the rows of a file, one after the other: a row sees whom the ones before it made. `keyOf` tells
 * addresses that are one apart from others, `isClient` whose address is a client's already.
 */
export function foretellRows(
  rows: readonly ({ fields: ClientFields } | { message: string })[],
  mode: ImportMode,
  {
    keyOf,
    isClient,
  }: {
    keyOf: (fields: ClientFields) => string | null;
    isClient: (fields: ClientFields) => boolean;
  },
): ForetoldRow[] {
  const makers = new Map<string, number>();
  return rows.map((row, at) => {
    if ('message' in row) return { outcome: 'refuse', problem: row.message, earlierRow: null };
    const key = keyOf(row.fields);
    const earlierRow = (key === null ? undefined : makers.get(key)) ?? null;
    const outcome = outcomeOf(earlierRow !== null || isClient(row.fields), mode);
    if (outcome === 'create' && key !== null) makers.set(key, at + 1);
    return { outcome, problem: outcome === 'refuse' ? EMAIL_TAKEN : null, earlierRow };
  });
}
