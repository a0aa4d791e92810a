/** While all is well no more wait than these, so that nothing is spent on weighing them. */
const UNWEIGHED = 250;
const COUNT_MAX = 5_000;
const BYTES_MAX = 16 * 2 ** 20;
/** Texts with one letter beyond Latin-1 take as much for each. */
const BYTES_A_LETTER = 2;

/**
 * What waits in memory to be relayed, no more of it than a process can bear to hold while the broker is away: some of it is
 * as large as a caller likes. The store has it all, and what there is no room for is found there.
 */
export class Waiting<One extends object> {
  private readonly ones = new Map<string, One>();
  private readonly weights = new Map<string, number>();
  private bytes = 0;

  constructor(private readonly keyOf: (one: One) => string) {}

  get size(): number {
    return this.ones.size;
  }

  hasRoom(): boolean {
    return this.ones.size < COUNT_MAX && this.bytes < BYTES_MAX;
  }

  /** In the order in which they came. */
  all(): One[] {
    return [...this.ones.values()];
  }

  add(come: Iterable<One>): void {
    for (const one of come) {
      const key = this.keyOf(one);
      this.lighten(key);
      if (this.ones.size >= UNWEIGHED) {
        const weight = BYTES_A_LETTER * JSON.stringify(one).length;
        this.weights.set(key, weight);
        this.bytes += weight;
      }
      this.ones.set(key, one);
    }
  }

  /** Those that go, which wait here no more. */
  take(going: readonly One[]): One[] {
    for (const one of going) {
      const key = this.keyOf(one);
      this.lighten(key);
      this.ones.delete(key);
    }
    return [...going];
  }

  clear(): void {
    this.ones.clear();
    this.weights.clear();
    this.bytes = 0;
  }

  private lighten(key: string): void {
    this.bytes -= this.weights.get(key) ?? 0;
    this.weights.delete(key);
  }
}
