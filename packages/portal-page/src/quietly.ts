/** What a page keeps things in between its visits. */
export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What work with a storage comes to; null in a browser that keeps nothing (private windows, blocked storage). */
export function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
