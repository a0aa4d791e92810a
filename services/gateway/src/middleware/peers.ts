/** Waits for the caller to send or to read, or for an address that the caller named. It counts as no work (docs/adr/0010). */
export type AwaitPeer = <T>(wait: () => Promise<T>) => Promise<T>;

/** So many requests for each place may wait so. */
const PER_PLACE = 2;

/**
 * Requests that wait for others than the platform: for the rest of a body, until their answer is read, or for an address
 * that their caller named. That is no work, and can be drawn out at will by a stranger with a few connections: it takes up no
 * place, and where too many wait so, the one that has waited longest is hung up on.
 */
export class Peers {
  /** What hangs up on each, and since when it waits; the one that has waited longest comes first. */
  private readonly waiting = new Map<() => void, number>();
  private readonly max: number;

  /** @param patienceMs one that has waited for less is not hung up on: while the gateway is busy, all bodies take a moment */
  constructor(
    places: number,
    private readonly patienceMs: number,
  ) {
    this.max = places * PER_PLACE;
  }

  /** @param hangUp ends the connection, which ends `wait` */
  async await<T>(wait: () => Promise<T>, hangUp: () => void): Promise<T> {
    const own = () => hangUp();
    if (this.waiting.size >= this.max) this.hangUpOnLongest();
    this.waiting.set(own, performance.now());
    try {
      return await wait();
    } finally {
      this.waiting.delete(own);
    }
  }

  /** Hangs up on those who came in one moment with too many others, once that is over: what they send stands in memory. */
  trim(): void {
    while (this.waiting.size > this.max) if (!this.hangUpOnLongest()) return;
  }

  private hangUpOnLongest(): boolean {
    const [longest] = this.waiting;
    const [hangUp, since] = longest!;
    if (performance.now() - since < this.patienceMs) return false;
    this.waiting.delete(hangUp);
    hangUp();
    return true;
  }
}
