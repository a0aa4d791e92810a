/** How often the store is asked for events that others left behind while those of this process keep coming. */
const LOOK_MS = 1_000;

/** When a relay that has events in memory asks the store, too, for what may have to leave before them. */
export class StoreLooks {
  private nextAt = 0;
  private asked = 0;

  isDue(): boolean {
    return performance.now() >= this.nextAt;
  }

  /** A look is due from now on. One that is under way began too early to spare it. */
  ask(): void {
    this.nextAt = 0;
    this.asked += 1;
  }

  /** Looks, which spares looks for a second where all was seen that there is, and none was asked for meanwhile. */
  async look<Row>(
    read: () => Promise<Row[]>,
    isAll: (found: readonly Row[]) => boolean,
  ): Promise<Row[]> {
    const [before, now] = [this.asked, performance.now()];
    const found = await read();
    this.nextAt = isAll(found) && before === this.asked ? now + LOOK_MS : 0;
    return found;
  }
}
