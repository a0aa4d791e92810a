import { platform } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';

/** A row as it stands at some moment. */
export interface Version {
  id: string;
  /** Rows of before it was counted have none. */
  revision?: number | undefined;
  /** Absent where it was not noted. */
  changedAt?: Date | undefined;
}

interface CountedRow {
  _id: string;
  revision?: number;
}

/** A stored row as it was read, to guard its change by: null finds where nothing is, as in rows of before it was counted. */
export const asRead = ({ _id, revision }: CountedRow) => ({
  _id,
  revision: (revision ?? null) as number,
});

/** A stored row as conditions look at it. */
export const versionOf = ({
  _id: id,
  revision,
  date_updated,
}: CountedRow & { date_updated: Date }): Version => ({ id, revision, changedAt: date_updated });

/** Names a version of a row: another one after each change, and of a row made anew under the same name. */
export function etagOf({ id, revision = 0 }: Pick<Version, 'id' | 'revision'>): string {
  return `${id}-${revision}`;
}

/**
 * Refuses a change whose caller saw another version of the row than this one, or any where there is none. To be asked of the row
 * that the write is guarded with, where it is read for it, so that a conflict asks again (docs/adr/0034).
 */
export function requireUnchanged(found: Version | null): void {
  const { condition } = currentContext();
  if (condition === undefined) return;
  if (found && (condition === '*' || condition.includes(etagOf(found)))) return;
  const changedAt = found?.changedAt;
  throw platform.preconditionFailed({
    ...(found ? {} : { message: 'there is nothing there that could be changed' }),
    extensions: {
      reason: 'changed_meanwhile',
      ...(changedAt ? { changed_at: changedAt.toISOString() } : {}),
    },
  });
}
