/**
 * What `work` resolves with; where that takes longer, what `late` says, which is an error unless something else is given. The
 * work itself goes on.
 */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  late: () => T = () => {
    throw new Error(`no answer within ${ms} ms`);
  },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(ms, 0));
  });
  try {
    return await Promise.race([work, silence.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
