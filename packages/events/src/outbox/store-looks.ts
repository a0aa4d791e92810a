/** How often the store is asked for events that others left behind while those of this process keep coming. */
const LOOK_MS = 1_000;
/** How long what was written without its writer hearing of it may still come to be seen: the store ends what has no caller any more. */
const DOUBT_MS = 60_000;
/** How often all is looked through where something old is left waiting, which others have to relay. */
const WHOLE_MS = 10_000;
/** How far behind the clock what is new may have its id: a transaction lasts a minute, and clocks are half of one apart. */
const LATE_MS = 90_000;

/** When a relay that has events in memory asks the store, too, for what may have to leave before them. */
export class StoreLooks {
  private nextAt = 0;
  private asked = 0;
  private doubtUntil = Number.NEGATIVE_INFINITY;
  /** Something waits for so long that looks have passed it by. */
  private isOldWaiting = false;
  private wholeAt = 0;
  /** Nothing up to this id was left to be found when all was looked through last. */
  private seen = '';

  isDue(): boolean {
    return performance.now() >= this.nextAt;
  }

  /** A look, at all that there is, is due from now on. One that is under way began too early to spare it. */
  ask(): void {
    this.nextAt = 0;
    this.wholeAt = 0;
    this.asked += 1;
  }

  /**
   * Something was written here of which nothing was heard: it is in no memory, and may be seen later than what follows it.
   * For a while no look spares the next one, and each looks through all.
   */
  doubt(forMs = DOUBT_MS): void {
    this.ask();
    this.doubtUntil = Math.max(this.doubtUntil, performance.now() + forMs);
  }

  /** Since when the oldest waits of all that does, of whichever slot: to be said every few seconds. */
  measured(oldest: Date | null): void {
    this.isOldWaiting = oldest !== null && Date.now() - oldest.getTime() > LATE_MS;
  }

  /**
   * Looks, which spares looks for a second where all was seen that there is, and none was asked for meanwhile. The
   * backlog of a slot that no process holds would be read through by each look: where something has waited for long, looks
   * begin behind it.
   *
   * @param read finds what comes after an id, no more than `limit`
   */
  async look<Row>(
    read: (after: string) => Promise<Row[]>,
    isAll: (found: readonly Row[]) => boolean,
    limit: number,
  ): Promise<Row[]> {
    const [before, now] = [this.asked, performance.now()];
    const isWhole = !this.isOldWaiting || now >= this.wholeAt || now < this.doubtUntil;
    const seen = firstIdOf(Date.now() - LATE_MS);
    const found = await read(isWhole ? '' : this.seen);
    const isCalm = before === this.asked && now >= this.doubtUntil;
    this.nextAt = isCalm && isAll(found) ? now + LOOK_MS : 0;
    if (isWhole && isCalm && found.length < limit) {
      this.wholeAt = now + WHOLE_MS;
      this.seen = seen;
    }
    return found;
  }
}

/** What no id of that moment or later sorts before; they are UUID v7. */
function firstIdOf(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
