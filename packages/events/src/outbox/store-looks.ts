/** How often the store is asked for events that others left behind while those of this process keep coming. */
const LOOK_MS = 1_000;
/** How long what was written without its writer hearing of it may still come to be seen: the store ends what has no caller any more. */
const DOUBT_MS = 60_000;

/** When a relay that has events in memory asks the store, too, for what may have to leave before them. */
export class StoreLooks {
  private nextAt = 0;
  private asked = 0;
  private doubtUntil = Number.NEGATIVE_INFINITY;

  isDue(): boolean {
    return performance.now() >= this.nextAt;
  }

  /** A look is due from now on. One that is under way began too early to spare it. */
  ask(): void {
    this.nextAt = 0;
    this.asked += 1;
  }

  /**
   * Something was written here of which nothing was heard: it is in no memory, and may be seen later than what follows it.
   * For a while no look spares the next one.
   */
  doubt(): void {
    this.ask();
    this.doubtUntil = performance.now() + DOUBT_MS;
  }

  /** Looks, which spares looks for a second where all was seen that there is, and none was asked for meanwhile. */
  async look<Row>(
    read: () => Promise<Row[]>,
    isAll: (found: readonly Row[]) => boolean,
  ): Promise<Row[]> {
    const [before, now] = [this.asked, performance.now()];
    const found = await read();
    const isSpared = isAll(found) && before === this.asked && now >= this.doubtUntil;
    this.nextAt = isSpared ? now + LOOK_MS : 0;
    return found;
  }
}
