/** Where something that is said of a row stands among all that is said of it. */
export interface Position<At extends Date | string = Date> {
  /** How often the row had been written by then; null where who says it does not count, as events of earlier releases. */
  revision: number | null;
  /** When it was said, by the clock of the process that said it. */
  at: At;
}

/**
 * Whether one was said after the other. The count of the row decides, which all its writers share; the clocks of two
 * processes, which may differ, only where one of the two comes without a count.
 */
export function isLater<At extends Date | string>(
  one: Position<At>,
  other: Position<At> | null,
): boolean {
  if (other === null) return true;
  if (one.revision !== null && other.revision !== null) return one.revision > other.revision;
  return one.at > other.at;
}

/** The position of what is known once something is taken over: a count that was heard of is not forgotten for what has none. */
export function takenOver<At extends Date | string>(
  { revision, at }: Position<At>,
  known: Position<At> | null,
): Position<At> {
  return { revision: revision ?? known?.revision ?? null, at };
}
