import { createSharedAnswers, mayFail, runInBackground } from '@laurel/lifecycle';

/** A list longer than this has its total remembered. */
const LONG = 20_000;
/** What may come after a remembered part before that is counted anew. */
const TAIL_MAX = 10_000;
const REMEMBERED_MAX = 10_000;

/** Which part of a list is to be counted; all of it where both are absent. */
export interface CountRange<Bound> {
  after?: Bound;
  until?: Bound;
}

export interface CountedList<Bound> {
  /** Names the list: what it is filtered by, the workspace first. */
  key: string;
  /** Counts the rows of a range; may stop at `atMost`. */
  count: (range: CountRange<Bound>, atMost?: number) => Promise<number>;
  /** A bound that nothing comes before any more: all that is new comes after it. */
  settled: () => Bound;
  /** It is known to be long: the caller has counted that far already. */
  isLong?: boolean;
  /** Counts all up to a bound, where a store can do that faster than by counting that range. */
  countOlder?: (bound: Bound) => Promise<number>;
}

export interface LongCountSettings {
  /** How long what was counted counts, since rows may change or go; null where they never do. */
  keptMs: number | null;
  now?: () => number;
}

interface Remembered<Bound> {
  bound: Bound;
  count: number;
  countedAt: number;
}

/**
 * Totals of lists, exact for what is new however long the list: counting a million rows takes half a second of
 * a store, so the older part is counted once and remembered, and only what came after it is counted again.
 * Rows of the older part that change or go are noticed within `keptMs`, or at once after `forget`. Lists of up to
 * 20 000 rows, not known to be long, are counted each time, once for all who ask at the same moment.
 */
export function createLongCounts<Bound>({ keptMs, now = Date.now }: LongCountSettings) {
  const known = new Map<string, Remembered<Bound>>();
  const counting = new Map<string, Promise<Remembered<Bound>>>();

  /** Counts the older part; those who ask meanwhile wait for the same answer. */
  function renew(list: CountedList<Bound>): Promise<Remembered<Bound>> {
    const { key, count, settled } = list;
    const { countOlder = (until: Bound) => count({ until }) } = list;
    const under = counting.get(key);
    if (under !== undefined) return under;
    const work = async (): Promise<Remembered<Bound>> => {
      const base = keptMs === null ? known.get(key) : undefined;
      const [bound, countedAt] = [settled(), now()];
      const counted = base
        ? base.count + (await count({ after: base.bound, until: bound }))
        : await countOlder(bound);
      return { bound, countedAt, count: counted };
    };
    // Others wait for it, too, with deadlines of their own.
    const running = runInBackground('count', work);
    counting.set(key, running);
    const finish = (fresh?: Remembered<Bound>): void => {
      // Forgotten while it was counted: what it came to may be old.
      if (counting.get(key) !== running) return;
      counting.delete(key);
      if (known.size >= REMEMBERED_MAX) known.clear();
      if (fresh) known.set(key, fresh);
    };
    running.then(finish, () => finish());
    return running;
  }

  /** What is remembered and good enough; old counts are renewed behind the answer, very old ones before it. */
  async function remembered(list: CountedList<Bound>): Promise<Remembered<Bound> | undefined> {
    const found = known.get(list.key);
    if (!found || keptMs === null) return found;
    const age = now() - found.countedAt;
    if (age >= 2 * keptMs) return renew(list);
    if (age >= keptMs) renew(list).catch(mayFail('the kept count stands'));
    return found;
  }

  async function totalOf(list: CountedList<Bound>): Promise<number> {
    let found = await remembered(list);
    if (!found) {
      const some = list.isLong ? Infinity : await list.count({}, LONG + 1);
      if (some <= LONG) return some;
      found = await renew(list);
    }
    const tail = await list.count({ after: found.bound });
    if (tail > TAIL_MAX) renew(list).catch(mayFail('the kept count stands'));
    return found.count + tail;
  }

  return {
    /** The total of a list, counted after it was asked for. */
    total: createSharedAnswers(
      ({ key }: CountedList<Bound>) => key,
      // As with the older part: others wait for it, too, with deadlines of their own.
      (list) => runInBackground('count', () => totalOf(list)),
    ),

    /** Counts anew what belongs to a workspace, e.g. because a row of it went. */
    forget(workspaceId: string): void {
      for (const keys of [known, counting])
        for (const key of keys.keys()) if (key.startsWith(workspaceId)) keys.delete(key);
    },
  };
}

/** Options of a store's count that may stop early. */
export function limitedTo(atMost: number | undefined): { limit?: number } {
  return atMost === undefined ? {} : { limit: atMost };
}
