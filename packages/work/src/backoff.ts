export interface Backoff {
  firstMs: number;
  mostMs: number;
}

/**
 * How long to wait before trying for the time after `failures` in a row: twice as long each time up to the most, of which
 * between half and the whole by chance, so that what failed together is not tried together again.
 */
export function backoffMs(failures: number, { firstMs, mostMs }: Backoff): number {
  const full = Math.min(firstMs * 2 ** Math.max(failures - 1, 0), mostMs);
  return full * (0.5 + Math.random() / 2);
}
