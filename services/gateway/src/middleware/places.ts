/** What has run that long, and so many times as long as others do, gives its place to them. */
const LONG_MS = 3_000;
const LONG_TIMES = 8;
/** So many long ones for each place. */
const LONG_PER_PLACE = 2;
/** What one request more means for what is usual. */
const USUAL_SHARE = 0.05;

export interface Place {
  since: number;
  isLong: boolean;
}

/** Requests that are worked on. Those that run long move aside, to a number that is bounded as well. */
export class Places {
  private readonly taken = new Set<Place>();
  private readonly max: number;
  private long = 0;
  /** How long a request takes lately. When everything is slow, nothing is long: that would only let more of it in. */
  private usualMs = 0;

  constructor(max: number) {
    this.max = max;
  }

  get size(): number {
    return this.taken.size;
  }

  get isFree(): boolean {
    return this.taken.size - this.long < this.max;
  }

  take(): Place {
    const place = { since: performance.now(), isLong: false };
    this.taken.add(place);
    return place;
  }

  /** False where it was given back before. */
  giveBack(place: Place): boolean {
    if (!this.taken.delete(place)) return false;
    this.usualMs += USUAL_SHARE * (performance.now() - place.since - this.usualMs);
    if (place.isLong) this.long -= 1;
    return true;
  }

  /** The oldest first, until one is young enough. */
  moveLongAside(): void {
    const before = performance.now() - Math.max(LONG_MS, LONG_TIMES * this.usualMs);
    for (const place of this.taken) {
      if (place.since > before || this.long >= this.max * LONG_PER_PLACE) break;
      if (place.isLong) continue;
      place.isLong = true;
      this.long += 1;
    }
  }
}
