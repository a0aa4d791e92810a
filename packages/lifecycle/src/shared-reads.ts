import { endedOrSilent } from './ended-or-silent';
import { mayFail } from './may-fail';

/**
 * Reads once for all who ask the same before the read begins. A read that has begun is never joined: it may not see what
 * happened just before somebody asks. So at most one is under way for a question and one waits, however many ask; one that
 * has been silent for long is waited for no more.
 *
 * @param keyOf what is equal for questions that have the same answer
 * @param read what it rejects with reaches all who share it
 */
export function createSharedAnswers<Question, Value>(
  keyOf: (question: Question) => string,
  read: (question: Question) => Promise<Value>,
): (question: Question) => Promise<Value> {
  const underWay = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<Value>>();

  async function readNext(key: string, question: Question): Promise<Value> {
    // All who ask in this turn of the loop share the read even where none is under way.
    await endedOrSilent(underWay.get(key));
    waiting.delete(key);
    const reading = read(question);
    const ended = reading.then(() => undefined, mayFail('its callers hear of it'));
    underWay.set(key, ended);
    void ended.then(() => {
      if (underWay.get(key) === ended) underWay.delete(key);
    });
    return reading;
  }

  return (question) => {
    const key = keyOf(question);
    const shared = waiting.get(key);
    if (shared !== undefined) return shared;
    const next = readNext(key, question);
    waiting.set(key, next);
    return next;
  };
}

/** `createSharedAnswers` for questions of a few words. */
export function createSharedReads<Parts extends string[], Value>(
  read: (...parts: Parts) => Promise<Value>,
): (...parts: Parts) => Promise<Value> {
  const ask = createSharedAnswers(
    (parts: Parts) => parts.join(' '),
    (parts) => read(...parts),
  );
  return (...parts) => ask(parts);
}
