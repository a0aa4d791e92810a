/** Answers take a while, and their header has whole seconds: a difference below this may be none. */
const SKEW_MS_MIN = 10_000;

let skewMs = 0;

/**
 * Learns from an answer of the platform how far the clock of this device is off.
 *
 * @param now of this device, when the answer came
 */
export function noteClock(answered: Pick<Response, 'headers'>, now = Date.now()): void {
  const told = Date.parse(answered.headers.get('date') ?? '');
  if (Number.isNaN(told)) return;
  skewMs = Math.abs(told - now) < SKEW_MS_MIN ? 0 : told - now;
}

/** What is to be added to a moment by the clock of this device, so that it is one by the platform's. */
export const clockSkewMs = (): number => skewMs;
