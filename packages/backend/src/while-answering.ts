import { createBoundedWaits, WaitedTooLong } from './bounded-waits';

/** Asks a server for something. Rejects at once, and sends nothing, while the server does not answer. */
export type Ask = <T>(send: () => Promise<T>) => Promise<T>;

/**
 * A server that hangs is away: the first that waits in vain for `msMax` is the last that waits. From then on one question is open,
 * and its end, an answer or the end of the connection, lets all others ask again. Nothing is sent meanwhile, so that a
 * connection into nowhere is found idle, and ended, by its own timeout.
 *
 * @param ping the question
 */
export function whileAnswering(name: string, msMax: number, ping: () => Promise<unknown>): Ask {
  const bounded = createBoundedWaits(name, msMax);
  let isSilent = false;
  const heard = (): void => {
    isSilent = false;
  };
  const waitForSign = (error: unknown): void => {
    if (isSilent || !(error instanceof WaitedTooLong)) return;
    isSilent = true;
    ping().then(heard, heard);
  };
  return (send) => {
    if (isSilent) return Promise.reject(new WaitedTooLong(`${name} does not answer`));
    const waited = bounded(send());
    waited.catch(waitForSign);
    return waited;
  };
}
