import type { Logger } from '@laurel/lifecycle';

/** Runs `work` again and again, never twice at once; faults are logged. Returns how to end it. */
export function every(ms: number, work: () => Promise<void>, logger: Logger): () => Promise<void> {
  let ended = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = work()
        .catch((error: unknown) =>
          logger.error({ err: error }, 'the sender could not reach its store'),
        )
        .finally(() => (ended ? undefined : schedule()));
    }, ms);
    timer.unref();
  };
  schedule();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await running;
  };
}
