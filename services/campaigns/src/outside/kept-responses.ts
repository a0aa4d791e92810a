import { runInBackground } from '@laurel/lifecycle';
import { patienceFor } from '@laurel/mongo';

/** While more may come it is counted anew, after a while: each is a look at everybody whom a campaign reached. */
const KEPT_MS = 60_000;
const REMEMBERED_MAX = 1_000;
const PATIENCE_MS = 2_000;

interface Kept<Answer> {
  answer: Answer;
  at: number;
}

/**
 * Answers that are long in coming, for a minute each. Who asks waits for two seconds, and all who ask meanwhile for the
 * same one; what is not there by then is null, or as it was last, and is counted to its end behind the answer.
 */
export function createKeptResponses<Answer>(
  now: () => number = Date.now,
  patienceMs: number = PATIENCE_MS,
) {
  const known = new Map<string, Kept<Answer>>();
  const running = new Map<string, Promise<Answer>>();

  function begin(key: string, count: () => Promise<Answer>): Promise<Answer> {
    const work = runInBackground('response', count);
    running.set(key, work);
    const end = (answer?: Answer): void => {
      running.delete(key);
      if (answer === undefined) return;
      if (known.size >= REMEMBERED_MAX) known.clear();
      known.set(key, { answer, at: now() });
    };
    work.then(end, () => end());
    return work;
  }

  return async function ask(key: string, count: () => Promise<Answer>): Promise<Answer | null> {
    const found = known.get(key);
    if (found && now() - found.at < KEPT_MS) return found.answer;
    const patience = patienceFor(patienceMs);
    const asked = patience.wait(running.get(key) ?? begin(key, count));
    return ((await asked.finally(patience.end)) ?? found?.answer) || null;
  };
}
