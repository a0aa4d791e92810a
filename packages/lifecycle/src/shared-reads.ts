import { createReadsUnderWay } from './reads-under-way';

/** A list or a total can take seconds by itself: what is slow here is seldom lost, and asked again costs seconds more. */
const COUNT_MAX = 2;

/**
 * Reads once for all who ask the same before the read begins. A read that has begun is never joined: it may not see what
 * happened just before somebody asks. So one is under way for a question and one waits, however many ask; beside one that
 * has been silent for long one more begins, and no third.
 *
 * @param keyOf what is equal for questions that have the same answer
 * @param read what it rejects with reaches all who share it
 */
export function createSharedAnswers<Question, Value>(
  keyOf: (question: Question) => string,
  read: (question: Question) => Promise<Value>,
): (question: Question) => Promise<Value> {
  const underWay = new Map<string, ReturnType<typeof createReadsUnderWay>>();
  const waiting = new Map<string, Promise<Value>>();

  async function readNext(key: string, question: Question): Promise<Value> {
    const reads = underWay.get(key) ?? createReadsUnderWay(COUNT_MAX);
    underWay.set(key, reads);
    // All who ask in this turn of the loop share the read even where none is under way.
    await reads.turn();
    waiting.delete(key);
    const reading = read(question);
    reads.begun(reading, () => {
      if (!waiting.has(key)) underWay.delete(key);
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
