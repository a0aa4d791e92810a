import { createTurnstile, runInBackground } from '@laurel/lifecycle';
import type { Connection } from 'mongoose';
import { collection, type Declared } from './collection';
import { deleteInPieces } from './delete-in-pieces';
import type { CollectionIndexes } from './indexes';

const HOUR_MS = 3_600_000;
/** How long sums of single hours are kept: until their day is kept as a whole. */
const HOURS_KEPT_MS = 4 * 24 * HOUR_MS;
/** Longer than it can take from giving a row its time to its being there. */
const SETTLED_MS = 600_000;
/** How long a request waits for what has to be summed first. */
const PATIENCE_MS = 2_000;
const AT_ONCE = 2;

export interface KeptSumsSettings<Sums> {
  connection: Connection;
  /** Where the sums are kept; one collection for each kind. */
  collection: string;
  /** Sums what happened from a moment up to, and not at, another. Rows of the past must never change or go. */
  tally: (workspaceId: string, from: Date, until: Date) => Promise<Sums>;
  add: (parts: readonly Sums[]) => Sums;
  now?: () => number;
  settledMs?: number;
  patienceMs?: number;
}

interface KeptDocument<Sums> {
  _id: string;
  workspace_id: string;
  from: Date;
  sums: Sums;
  /** Of hours only. */
  expires_at?: Date;
}
interface Range {
  from: number;
  until: number;
}
type Known<Sums> = Map<string, Sums | Promise<Sums>>;

export type KeptSums<Sums> = ReturnType<typeof createKeptSums<Sums>>;

/** The index that `createKeptSums` reads by. */
export function keptSumsIndexes(collection: string): CollectionIndexes {
  return {
    collection,
    indexes: [
      { key: { workspace_id: 1, from: 1 }, name: 'of_workspace' },
      { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    ],
  };
}

/** What a collection of sums declares: whose they are. */
interface KeptSum {
  _id: string;
  workspace_id: string;
}

/** Declares a collection of sums; `stays` says of its days why. */
export const keptDays = (name: string, stays: string): Declared =>
  collection<KeptSum>(name, {
    tenant: 'workspace_id',
    person: 'nobody',
    clone: 'left: sums of what happened in the source',
    growth: {
      per: 'workspace and day',
      end: `hours after 4 days; days stay: ${stays}`,
      shardKey: 'whole',
    },
    indexes: keptSumsIndexes(name).indexes,
  });

/** How many of something there were in a day. */
export interface KeptCount {
  count: number;
}
export type KeptCounts = KeptSums<KeptCount>;

interface KeptCountsSettings
  extends Pick<KeptSumsSettings<KeptCount>, 'connection' | 'collection'> {
  count: (workspaceId: string, from: Date, until: Date) => Promise<number>;
  /** What the rows go by that are counted: a day is over by the same. */
  clock: { now(): Date };
}

/** Counts per day, kept as `createKeptSums` keeps sums; those who go later on stay counted once the day is over. */
export function createKeptCounts({
  connection,
  collection,
  count,
  clock,
}: KeptCountsSettings): KeptCounts {
  return createKeptSums<KeptCount>({
    connection,
    collection,
    now: () => clock.now().getTime(),
    tally: async (workspaceId, from, until) => ({ count: await count(workspaceId, from, until) }),
    add: (parts) => ({ count: parts.reduce((sum, each) => sum + each.count, 0) }),
  });
}

/**
 * Sums per day that are worked out once and kept: rows of the past do not change, so a day that is over is final ten
 * minutes later. Of the day that still runs, hours are kept, and only what is younger is summed for each answer. Days are
 * named by the moments at which they begin and end, so that every time zone has its own and none is wrong.
 *
 * What has to be summed first (a workspace without a look so far, another time zone) is summed behind the request, which
 * waits for a moment; each day that is done is kept, whatever becomes of the others.
 */
export function createKeptSums<Sums>(settings: KeptSumsSettings<Sums>) {
  const { connection, collection, tally, add, now = Date.now } = settings;
  const { settledMs = SETTLED_MS, patienceMs = PATIENCE_MS } = settings;
  const { settle, readKnown } = keepingOf(settings);

  /** A day that still runs: its hours, and what is younger. */
  async function sumOpen(
    workspaceId: string,
    { from, until }: Range,
    { known, settledAt }: { known: Known<Sums>; settledAt: number },
  ): Promise<Sums> {
    const parts: Promise<Sums>[] = [];
    let at = from;
    while (at + HOUR_MS <= Math.min(until, settledAt)) {
      const hour = { from: at, until: at + HOUR_MS };
      const sums = known.get(keyOf(workspaceId, hour));
      parts.push(sums === undefined ? settle(workspaceId, hour, true) : Promise.resolve(sums));
      at += HOUR_MS;
    }
    if (at < until) parts.push(tally(workspaceId, new Date(at), new Date(until)));
    return add(await Promise.all(parts));
  }

  return {
    /**
     * The sums of days, each from its own start to the next one's, the last to `until`.
     *
     * @param starts moments in milliseconds, ascending
     * @returns null for a day that is not summed yet
     */
    async of(
      workspaceId: string,
      starts: readonly number[],
      until: number,
    ): Promise<(Sums | null)[]> {
      const [first] = starts;
      if (first === undefined) return [];
      const days = starts.map((from, index) => ({ from, until: starts[index + 1] ?? until }));
      const known = await readKnown(workspaceId, { from: first, until });
      const settledAt = now() - settledMs;
      const patience = patienceFor(patienceMs);
      const sums = days.map((day) => {
        const found = known.get(keyOf(workspaceId, day));
        if (found !== undefined) return patience.wait(Promise.resolve(found));
        return patience.wait(
          day.until <= settledAt
            ? settle(workspaceId, day, false)
            : sumOpen(workspaceId, day, { known, settledAt }),
        );
      });
      return Promise.all(sums).finally(patience.end);
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await deleteInPieces(connection, collection, { workspace_id: workspaceId });
    },
  };
}

const keyOf = (workspaceId: string, { from, until }: Range): string =>
  `${workspaceId}:${from}:${until}`;

/** Sums what is final, and keeps it. */
function keepingOf<Sums>({ connection, collection, tally }: KeptSumsSettings<Sums>) {
  const kept = connection.collection<KeptDocument<Sums>>(collection);
  const running = new Map<string, Promise<Sums>>();
  const inTurn = createTurnstile(AT_ONCE);

  /** Sums a range that is final and keeps it; those who ask meanwhile wait for the same. */
  function settle(workspaceId: string, range: Range, isHour: boolean): Promise<Sums> {
    const key = keyOf(workspaceId, range);
    const known = running.get(key);
    if (known !== undefined) return known;
    const work = async (): Promise<Sums> => {
      const sums = await tally(workspaceId, new Date(range.from), new Date(range.until));
      const row = {
        workspace_id: workspaceId,
        from: new Date(range.from),
        sums,
        ...(isHour ? { expires_at: new Date(range.until + HOURS_KEPT_MS) } : {}),
      };
      await kept.updateOne({ _id: key }, { $set: row as never }, { upsert: true });
      return sums;
    };
    const promise = runInBackground(collection, () => inTurn(work));
    running.set(key, promise);
    const finish = () => running.delete(key);
    promise.then(finish, finish);
    return promise;
  }

  /**
   * What is kept of a span, by its key, or being summed. The latter is noted before the read: what ends while it goes on
   * is in neither afterwards, and would be summed twice.
   */
  async function readKnown(workspaceId: string, span: Range): Promise<Known<Sums>> {
    const known: Known<Sums> = new Map(running);
    const from = { $gte: new Date(span.from), $lt: new Date(span.until) };
    const rows = await kept
      .find({ workspace_id: workspaceId, from } as object)
      .project<{ _id: string; sums: Sums }>({ sums: 1 })
      .batchSize(10_000)
      .toArray();
    for (const { _id, sums } of rows) known.set(_id, sums);
    return known;
  }

  return { settle, readKnown };
}

/** Waits for several things for a moment in all; what is not there by then is null, and goes on. */
export function patienceFor(ms: number) {
  let timer: NodeJS.Timeout;
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return {
    wait: <T>(promise: Promise<T>): Promise<T | null> => Promise.race([promise, over]),
    end: () => clearTimeout(timer),
  };
}
