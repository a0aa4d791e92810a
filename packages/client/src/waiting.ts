const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 8_000;

/** Up to half a second, then one, two …: at random, so that many callers do not come back at once. */
export function backoffMs(number: number): number {
  return Math.random() * Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** (number - 1));
}

/** Ends early with its signal, and leaves nothing on it: a stream pauses on the same one for as long as it lives. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}

/** Ends a try. What comes in pieces may take longer once it has begun; of all else the body belongs to the answer. */
export function limitOf(ms: number, isLifted: boolean): [limit: AbortSignal, lift: () => void] {
  if (!isLifted) return [AbortSignal.timeout(ms), () => {}];
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new DOMException('', 'TimeoutError')), ms);
  return [ending.signal, () => clearTimeout(timer)];
}
