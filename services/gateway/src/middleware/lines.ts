export interface Waiter {
  start: () => void;
  refuse: () => void;
  until: number;
}

/** One credential or address: its requests wait in a line of their own. */
export interface Line {
  readonly key: string;
  readonly waiting: Set<Waiter>;
  /** Its requests, running and waiting. */
  count: number;
}

/** Who waits, by caller; callers take turns. */
export class Lines {
  /** Requests that wait, of all callers. */
  waiting = 0;
  private readonly byKey = new Map<string, Line>();
  private readonly turns = new Set<Line>();

  /** The line of a caller, which is kept once something is counted in it. */
  of(key: string): Line {
    return this.byKey.get(key) ?? { key, waiting: new Set(), count: 0 };
  }

  /** Counts a request that is let in, to run or to wait. */
  enter(line: Line): void {
    this.byKey.set(line.key, line);
    line.count += 1;
  }

  /** A request is over, or was turned away. */
  leave(line: Line): void {
    line.count -= 1;
    if (line.count === 0) this.byKey.delete(line.key);
  }

  add(line: Line, waiter: Waiter): void {
    line.waiting.add(waiter);
    this.turns.add(line);
    this.waiting += 1;
  }

  /** It waits no longer; false where it did not. */
  drop(line: Line, waiter: Waiter): boolean {
    if (!line.waiting.delete(waiter)) return false;
    this.waiting -= 1;
    if (line.waiting.size === 0) this.turns.delete(line);
    return true;
  }

  /** Takes whose turn it is out of its line, which comes last from then on. Somebody must be waiting. */
  next(): Waiter {
    const [line] = this.turns;
    const [waiter] = line!.waiting;
    this.turns.delete(line!);
    this.drop(line!, waiter!);
    if (line!.waiting.size > 0) this.turns.add(line!);
    return waiter!;
  }
}
