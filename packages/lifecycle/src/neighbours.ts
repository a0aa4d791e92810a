import { runInBackground } from './background';
import { type Context, currentContext } from './context';

/** One piece of work that waits for its turn, and the request that it is part of. */
export interface Waiting<Item> {
  item: Item;
  context: Context;
}

/** What is done together at most. */
const TOGETHER_MAX = 50;

interface Entry<Item, Result> extends Waiting<Item> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Takes what comes at once about one and the same thing one after the other: while a piece is being written, those that
 * come meanwhile wait, and are then written together. Without it each would be a transaction of its own on the same
 * rows, and all but one of them run for nothing, again and again. Only within this process; the store decides between
 * several.
 */
export class Neighbours<Item, Result> {
  private readonly lanes = new Map<string, Entry<Item, Result>[]>();

  constructor(
    private readonly write: (together: readonly Waiting<Item>[]) => Promise<Result[]>,
    /** Whether a piece may be written together with others; one that may not is written alone, in its place. */
    private readonly mayJoin: (waiting: Waiting<Item>) => boolean = () => true,
    /** Whether a failure is only some pieces' fault, so that the others are written without them. */
    private readonly isOfSome: (error: unknown) => boolean = () => true,
  ) {}

  run(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, context: currentContext(), resolve, reject };
      const lane = this.lanes.get(key);
      if (lane) lane.push(entry);
      else {
        const begun = [entry];
        this.lanes.set(key, begun);
        // Not in the context of the one that happened to come first, whose deadline passes.
        void runInBackground('neighbours', () => this.workOff(key, begun));
      }
    });
  }

  private async workOff(key: string, lane: Entry<Item, Result>[]): Promise<void> {
    while (lane.length > 0) await this.settle(this.next(lane));
    this.lanes.delete(key);
  }

  private next(lane: Entry<Item, Result>[]): Entry<Item, Result>[] {
    const alone = lane.findIndex((entry) => !this.mayJoin(entry));
    const count = alone === 0 ? 1 : Math.min(alone === -1 ? lane.length : alone, TOGETHER_MAX);
    return lane.splice(0, count);
  }

  /** What cannot be written together is written in halves, so that each is answered for itself. */
  private async settle(together: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.write(together);
      for (const [index, entry] of together.entries()) entry.resolve(results[index]!);
    } catch (error) {
      if (together.length === 1 || !this.isOfSome(error)) {
        for (const entry of together) entry.reject(error);
        return;
      }
      const half = Math.ceil(together.length / 2);
      await this.settle(together.slice(0, half));
      await this.settle(together.slice(half));
    }
  }
}

/** Whose deadline comes first: no caller waits longer for a conflict than they have time. */
export function soonestOf(contexts: readonly Context[]): Context {
  const deadlineOf = ({ deadlineAt = Number.POSITIVE_INFINITY }: Context) => deadlineAt;
  return contexts.reduce((one, other) => (deadlineOf(other) < deadlineOf(one) ? other : one));
}

/** Gives each owner, as a rule a connection, neighbours of its own, which are made when it first asks. */
export function neighboursPer<Owner extends object, Item, Result>(
  make: () => Neighbours<Item, Result>,
): (owner: Owner) => Neighbours<Item, Result> {
  const known = new WeakMap<Owner, Neighbours<Item, Result>>();
  return (owner) => {
    const own = known.get(owner) ?? make();
    known.set(owner, own);
    return own;
  };
}
