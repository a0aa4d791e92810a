/** Looks come that much later than they could: a tenth of the wait on average. */
const SHARE_OF_WAIT = 4;
const PAUSE_MS_MAX = 500;

/**
 * Waits until `condition` returns something other than false, null or undefined, and returns it.
 * Throws with the last error, or with `what`, when it does not come about in time: a busy machine is no failure, so that the time
 * only ends what hangs, below the limit of a test. The longer it takes the less often it looks, at most every `everyMs`: looks
 * take processor time from what is waited for.
 */
export async function until<T>(
  condition: () => Promise<T> | T,
  {
    withinMs = 40_000,
    everyMs = 20,
    what = 'the condition',
  }: { withinMs?: number; everyMs?: number; what?: string } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const startedAt = Date.now();
  for (;;) {
    let failure: unknown;
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined)
        return value as NonNullable<Exclude<T, false>>;
    } catch (error) {
      failure = error;
    }
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > withinMs)
      throw failure ?? new Error(`${what} did not come about within ${withinMs} ms`);
    const pauseMs = Math.max(everyMs, Math.min(waitedMs / SHARE_OF_WAIT, PAUSE_MS_MAX));
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    });
  }
}
