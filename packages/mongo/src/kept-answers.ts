import { mayFail, runInBackground } from '@laurel/lifecycle';

/** An answer is kept so many times as long as it took: working it out costs one hundredth of the time at most. */
const KEPT_TIMES = 100;
const KEPT_MAX = 10_000;
/** A process that stood still over an answer takes it for a dear one. */
const KEPT_MS_MAX = 600_000;

interface Kept<Answer> {
  answer: Answer;
  at: number;
  tookMs: number;
}

/**
 * Answers that look at many rows and may lag a little, for pages that are opened all the time. What takes two milliseconds
 * is asked again after a fifth of a second, what takes a second after two minutes. An old answer is given while a new
 * one is worked out, but for one that was cheap.
 */
export function createKeptAnswers<Answer>(
  ask: (key: string) => Promise<Answer>,
  // Not by the day's time: set on meanwhile, it would make any answer a dear one.
  now: () => number = () => performance.now(),
) {
  const kept = new Map<string, Kept<Answer>>();
  const asking = new Map<string, Promise<Answer>>();
  const cheapMs = 20;

  function renew(key: string): Promise<Answer> {
    const running = asking.get(key);
    if (running !== undefined) return running;
    const promise = runInBackground('kept answer', async () => {
      const at = now();
      const answer = await ask(key);
      if (kept.size >= KEPT_MAX) kept.clear();
      kept.set(key, { answer, at, tookMs: Math.max(1, now() - at) });
      return answer;
    });
    asking.set(key, promise);
    const finish = () => asking.delete(key);
    promise.then(finish, finish);
    return promise;
  }

  return {
    async of(key: string): Promise<Answer> {
      const known = kept.get(key);
      if (!known) return renew(key);
      const keptMs = Math.min(KEPT_TIMES * known.tookMs, KEPT_MS_MAX);
      if (now() - known.at < keptMs) return known.answer;
      const renewed = renew(key);
      if (known.tookMs <= cheapMs) return renewed;
      renewed.catch(mayFail('the kept answer stands'));
      return known.answer;
    },
  };
}
