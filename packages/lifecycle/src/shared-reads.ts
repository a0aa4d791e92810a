/**
 * Reads once for all who ask before the read begins, by key. A read that has begun is never joined: it may not see what
 * happened just before somebody asks. So at most one is under way for a key and one waits, however many ask.
 *
 * @param read takes the parts of the key; what it rejects with reaches all who share it
 */
export function createSharedReads<Parts extends string[], Value>(
  read: (...parts: Parts) => Promise<Value>,
): (...parts: Parts) => Promise<Value> {
  const underWay = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<Value>>();

  async function readNext(key: string, parts: Parts): Promise<Value> {
    // All who ask in this turn of the loop share the read even where none is under way.
    await (underWay.get(key) ?? Promise.resolve());
    waiting.delete(key);
    const reading = read(...parts);
    const ended = reading.then(
      () => undefined,
      () => undefined,
    );
    underWay.set(key, ended);
    void ended.then(() => {
      if (underWay.get(key) === ended) underWay.delete(key);
    });
    return reading;
  }

  return (...parts) => {
    const key = parts.join(' ');
    const shared = waiting.get(key);
    if (shared !== undefined) return shared;
    const next = readNext(key, parts);
    waiting.set(key, next);
    return next;
  };
}
