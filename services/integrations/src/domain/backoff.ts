const SECOND = 1_000;

/** Attempts at a message before it has failed (part 3, section 14). */
export const MESSAGE_ATTEMPTS_MAX = 8;
/** Attempts at a page of an import, one after the other, before the import has failed. */
export const IMPORT_FAILURES_MAX = 7;
const WAIT_MS_MAX = 5 * 60 * SECOND;

/** Exponential: 1 s after the first failure, twice as long after each further one. */
export function backoffMs(failures: number): number {
  return Math.min(SECOND * 2 ** (failures - 1), WAIT_MS_MAX);
}
