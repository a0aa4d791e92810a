import { createReadsUnderWay } from './reads-under-way';

/**
 * One read at a time for many askers: one who asks while a read is in flight waits for the next one, which
 * answers all of them. Every answer was read after its question was asked, so nothing is ever stale. Beside a read that has
 * been silent for long one more begins, and no third.
 */
export function createSharedLookups<Key extends string, Value>(
  read: (keys: readonly Key[]) => Promise<Map<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { keys: Set<Key>; answer: Promise<Map<Key, Value>> } | null = null;
  const underWay = createReadsUnderWay();

  return async (key) => {
    if (!next) {
      const keys = new Set<Key>();
      const answer = underWay.turn().then(() => {
        next = null;
        const reading = read([...keys]);
        underWay.begun(reading);
        return reading;
      });
      next = { keys, answer };
    }
    next.keys.add(key);
    return (await next.answer).get(key);
  };
}
