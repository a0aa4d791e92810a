import { mayFail } from './may-fail';
/**
 * One read at a time for many askers: one who asks while a read is in flight waits for the next one, which
 * answers all of them. Every answer was read after its question was asked, so nothing is ever stale.
 */
export function createSharedLookups<Key extends string, Value>(
  read: (keys: readonly Key[]) => Promise<Map<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { keys: Set<Key>; answer: Promise<Map<Key, Value>> } | null = null;
  let inFlight: Promise<unknown> = Promise.resolve();

  return async (key) => {
    if (!next) {
      const keys = new Set<Key>();
      const start = inFlight;
      const answer = start.catch(mayFail('its callers hear of it')).then(() => {
        next = null;
        return read([...keys]);
      });
      inFlight = answer;
      next = { keys, answer };
    }
    next.keys.add(key);
    return (await next.answer).get(key);
  };
}
