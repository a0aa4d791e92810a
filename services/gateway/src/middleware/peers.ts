/** So many requests for each place may wait so. */
const PER_PLACE = 2;

/**
 * Requests that wait for others than the platform: for the rest of a body, until their answer is read, or for an address
 * that their caller named. That is no work, and can be drawn out at will by a stranger with a few connections: it takes up no
 * place, and where too many wait so, the one that has waited longest is hung up on.
 */
export class Peers {
  private readonly hangUps = new Set<() => void>();
  private readonly max: number;

  constructor(places: number) {
    this.max = places * PER_PLACE;
  }

  /** @param hangUp ends the connection, which ends `wait` */
  async await<T>(wait: () => Promise<T>, hangUp: () => void): Promise<T> {
    const own = () => hangUp();
    if (this.hangUps.size >= this.max) {
      const [longest] = this.hangUps;
      this.hangUps.delete(longest!);
      longest!();
    }
    this.hangUps.add(own);
    try {
      return await wait();
    } finally {
      this.hangUps.delete(own);
    }
  }
}
