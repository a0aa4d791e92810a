/** The header has whole seconds. */
const SECOND_MS = 1_000;

let skewMs = 0;

/**
 * Learns from an answer of the platform how far the clock of this device is off. Its moment lies between the request and itself:
 * of one that was long on its way little is learned, and what is known stays as far as it fits.
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
  skewMs = Math.min(Math.max(skewMs, told - now), told + SECOND_MS - sentAt);
}

/** What is to be added to a moment by the clock of this device, so that it is one by the platform's. */
export const clockSkewMs = (): number => skewMs;
