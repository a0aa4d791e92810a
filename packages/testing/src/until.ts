/**
 * Waits until `condition` returns something other than false, null or undefined, and returns it.
 * Throws with the last error, or with `what`, when it does not come about in time: a busy machine is no failure, so that the time
 * only ends what hangs, below the limit of a test.
 */
export async function until<T>(
  condition: () => Promise<T> | T,
  {
    withinMs = 40_000,
    everyMs = 20,
    what = 'the condition',
  }: { withinMs?: number; everyMs?: number; what?: string } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const endsAt = Date.now() + withinMs;
  for (;;) {
    let failure: unknown;
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined)
        return value as NonNullable<Exclude<T, false>>;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > endsAt)
      throw failure ?? new Error(`${what} did not come about within ${withinMs} ms`);
    await new Promise((resolve) => {
      setTimeout(resolve, everyMs);
    });
  }
}
