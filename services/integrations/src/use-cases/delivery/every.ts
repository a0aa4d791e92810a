import { type Logger, later, type Timer } from '@laurel/lifecycle';

/** Runs `work` again and again, never twice at once; faults are logged. Returns how to end it. */
export function every(ms: number, work: () => Promise<void>, logger: Logger): () => Promise<void> {
  let ended = false;
  let running: Promise<void> = Promise.resolve();
  let timer: Timer;
  const schedule = (): void => {
    timer = later('integrations.sender', ms, () => {
      running = work()
        .catch((error: unknown) =>
          logger.error({ err: error }, 'the sender could not reach its store'),
        )
        .finally(() => (ended ? undefined : schedule()));
    });
  };
  schedule();
  return async () => {
    ended = true;
    timer.cancel();
    await running;
  };
}
