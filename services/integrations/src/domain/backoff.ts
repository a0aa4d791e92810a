const SECOND = 1_000;

/** Attempts at a message before it has failed (part 3, section 14). */
export const MESSAGE_ATTEMPTS_MAX = 8;
/** Attempts at a page of an import, one after the other, before the import has failed. */
export const IMPORT_FAILURES_MAX = 7;
const WAIT_MS_MAX = 5 * 60 * SECOND;
/** Longer than the eight tries of a sale take, with a replica or two that die at it, or a till that sends it once more. */
const SALE_AWAITED_MS = 10 * 60 * SECOND;
const SALE_LOOK_MS_MAX = 60 * SECOND;

/** Exponential: 1 s after the first failure, twice as long after each further one. */
export function backoffMs(failures: number): number {
  return Math.min(SECOND * 2 ** (failures - 1), WAIT_MS_MAX);
}

/** Until a refund looks once more for the sale that it names, by how long it has waited; null where that was enough. */
export function untilSaleMs(waitedMs: number): number | null {
  const left = SALE_AWAITED_MS - waitedMs;
  return left <= 0 ? null : Math.min(Math.max(waitedMs, SECOND), SALE_LOOK_MS_MAX, left);
}
