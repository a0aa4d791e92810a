import type { Logger } from '@laurel/lifecycle';

const EVERY_MS = 60_000;

/**
 * Warns of what fails with each request while something is away: at once, and from then on each minute with how often it
 * was. A line for each would bury what else is to be seen in that hour.
 */
export function createRareWarning(
  logger: Pick<Logger, 'warn'>,
  message: string,
  now = () => performance.now(),
): (error: unknown) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  let times = 0;
  return (error) => {
    times += 1;
    if (now() - saidAt < EVERY_MS) return;
    logger.warn({ err: error, times }, message);
    saidAt = now();
    times = 0;
  };
}
