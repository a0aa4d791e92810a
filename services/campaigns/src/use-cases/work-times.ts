/** How long work stays with a replica that died at it; one that lives renews its claim. */
export const CLAIM_MS = 20_000;
const RETRY_MS = 500;
const RETRY_MS_MAX = 30_000;

/** When to try again what met a fault so often before: less and less often. */
export function retryAt(now: Date, faults: number): Date {
  return new Date(now.getTime() + Math.min(RETRY_MS * 2 ** faults, RETRY_MS_MAX));
}
