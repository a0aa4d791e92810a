import { endedOrSilent } from './ended-or-silent';

/**
 * One read at a time for many askers: one who asks while a read is in flight waits for the next one, which
 * answers all of them. Every answer was read after its question was asked, so nothing is ever stale. A read that has been
 * silent for long is waited for no more by those who asked later.
 */
export function createSharedLookups<Key extends string, Value>(
  read: (keys: readonly Key[]) => Promise<Map<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { keys: Set<Key>; answer: Promise<Map<Key, Value>> } | null = null;
  let inFlight: Promise<unknown> | undefined;

  return async (key) => {
    if (!next) {
      const keys = new Set<Key>();
      const answer = endedOrSilent(inFlight).then(() => {
        next = null;
        return read([...keys]);
      });
      const ended = (): void => {
        if (inFlight === answer) inFlight = undefined;
      };
      answer.then(ended, ended);
      inFlight = answer;
      next = { keys, answer };
    }
    next.keys.add(key);
    return (await next.answer).get(key);
  };
}
