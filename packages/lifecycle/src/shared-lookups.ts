import { createReadsUnderWay } from './reads-under-way';

/**
 * A lookup by id is done in milliseconds: one that is silent is nearly always lost, and costs little once more. All lookups
 * of a kind wait for it, and of a pool whose connections have lost their server unseen the next may take another such one.
 */
const COUNT_MAX = 5;

/**
 * One read at a time for many askers: one who asks while a read is in flight waits for the next one, which
 * answers all of them. Every answer was read after its question was asked, so nothing is ever stale. Beside a read that has
 * been silent for long another begins, up to five.
 */
export function createSharedLookups<Key extends string, Value>(
  read: (keys: readonly Key[]) => Promise<Map<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { keys: Set<Key>; answer: Promise<Map<Key, Value>> } | null = null;
  const underWay = createReadsUnderWay(COUNT_MAX);

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
