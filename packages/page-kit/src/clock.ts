/** The header has whole seconds. */
const SECOND_MS = 1_000;

let skewMs = 0;

/**
 * Learns from an answer of the platform how far the clock of this device is off: not at all where the answer says a moment
 * between the request and itself, however long it took.
 *
 * @param sentAt of this device, when the request was sent
 * @param now of this device, when the answer came
 */
export function noteClock(
  answered: Pick<Response, 'headers'>,
  { sentAt, now = Date.now() }: { sentAt: number; now?: number },
): void {
  const told = Date.parse(answered.headers.get('date') ?? '');
  if (Number.isNaN(told)) return;
  if (told > now) skewMs = told - now;
  else skewMs = Math.min(0, told + SECOND_MS - sentAt);
}

/** What is to be added to a moment by the clock of this device, so that it is one by the platform's. */
export const clockSkewMs = (): number => skewMs;
