import type { EventCategory } from '@laurel/contract';
import { mayFail, runInBackground } from '@laurel/lifecycle';
import { type Connection, collection, patienceFor } from '@laurel/mongo';
import type { EventStore } from './events';

const DAY_MS = 86_400_000;
/** A till may tell of a purchase so long after it (docs/adr/0019); what comes later leaves a mark. */
const LATE_MS = 3 * DAY_MS;
/** A mark is set before what it is about: so long after it that may still come. */
const MARKED_AHEAD_MS = 300_000;
/** A count that may change is kept so many times as long as it took: it costs one hundredth of the time at most. */
const KEPT_TIMES = 100;
const PATIENCE_MS = 1_500;
const KEPT_DAYS = 100;

/** What customers do themselves. */
export const ACTIVE_CATEGORIES = [
  'transaction',
  'engagement',
  'custom',
] as const satisfies readonly EventCategory[];

interface TallyDocument {
  _id: string;
  workspace_id: string;
  active: number;
  tallied_at: Date;
  cost_ms: number;
  expires_at: Date;
}
/** Something happened on a day (UTC) that was over long before it was reported. */
interface MarkDocument {
  _id: string;
  workspace_id: string;
  day: Date;
  marked_at: Date;
}

export const activityTallies = collection<TallyDocument>('activity_tallies', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: counts of the source',
  growth: {
    per: 'day and zone',
    end: '100 days',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { workspace_id: 1 }, name: 'of_workspace' },
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
  ],
});

export const activityMarks = collection<MarkDocument>('activity_marks', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: counts of the source',
  growth: {
    per: 'day that was told of late',
    end: 'stays: as many as days at most; a count that is kept rests on it',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1, day: 1 }, name: 'of_day' }],
});

export interface Span {
  from: number;
  until: number;
}

/**
 * How many clients were active in spans of time. Such counts do not add up, so each span has its own, counted once it is
 * over and what may come late has come; until then, and after something very late, it is counted anew now and then.
 */
export function createActivityStore(
  connection: Connection,
  events: Pick<EventStore, 'countActors'>,
  now: () => number = Date.now,
) {
  const tallies = activityTallies.open(connection);
  const marks = activityMarks.open(connection);
  const count = createCounting(tallies, events, now);

  /** The count of one span by its tally, as long as that is good; of a new count where it is not. */
  async function activeIn(
    { workspaceId, span }: { workspaceId: string; span: Span },
    { tally, marked }: { tally: TallyDocument | undefined; marked: readonly MarkDocument[] },
    patience: Patience,
  ): Promise<number | null> {
    if (span.from >= span.until) return 0;
    if (tally && isGood(tally, { span, marked }, now())) return tally.active;
    const counted = count(workspaceId, span);
    // What takes long is renewed behind the answer.
    if (tally && tally.cost_ms > PATIENCE_MS / 10) {
      counted.catch(mayFail('the kept count stands'));
      return tally.active;
    }
    return (await patience.wait(counted)) ?? tally?.active ?? null;
  }

  return {
    /** In the order of the spans; the last known count where a new one takes long, null where there is none yet. */
    async of(workspaceId: string, spans: readonly Span[]): Promise<(number | null)[]> {
      const keys = spans.map((span) => keyOf(workspaceId, span));
      const asked = spans.filter(({ from, until }) => from < until);
      if (asked.length === 0) return spans.map(() => 0);
      const [rows, marked] = await Promise.all([
        tallies
          .of(workspaceId)
          .find({ _id: { $in: keys } })
          .toArray(),
        marks
          .of(workspaceId)
          .find({ day: daysOf(asked) })
          .toArray(),
      ]);
      const known = new Map(rows.map((row) => [row._id, row]));
      const patience = patienceFor(PATIENCE_MS);
      const counts = spans.map((span, index) =>
        activeIn({ workspaceId, span }, { tally: known.get(keys[index]!), marked }, patience),
      );
      return Promise.all(counts).finally(patience.end);
    },

    /** Notes, before they are stored or deleted, that there will be changes long after the days they are about. */
    async mark(changed: readonly Dated[]): Promise<void> {
      const late = marksOf(changed, now());
      if (late.length === 0) return;
      await marks.bulkWrite(
        late.map(({ _id, ...row }) => ({
          updateOne: { filter: { _id }, update: { $set: row }, upsert: true },
        })),
        { ordered: false },
      );
    },
  };
}

type Patience = ReturnType<typeof patienceFor>;
type Dated = { workspace_id: string; event_timestamp: Date };

/** How they are counted: refunds and what campaigns did counted before. */
const VERSION = 2;
const keyOf = (workspaceId: string, { from, until }: Span): string =>
  `${workspaceId}:${from}:${until}:${VERSION}`;

/** Counts a span and keeps it, one span after the other; those who ask meanwhile wait for the same. */
function createCounting(
  tallies: ReturnType<typeof activityTallies.open>,
  events: Pick<EventStore, 'countActors'>,
  now: () => number,
) {
  const running = new Map<string, Promise<number>>();
  let last: Promise<unknown> = Promise.resolve();

  async function countNow(workspaceId: string, span: Span): Promise<number> {
    const startedAt = now();
    const dates = { from: new Date(span.from), until: new Date(span.until) };
    const active = await events.countActors(workspaceId, ACTIVE_CATEGORIES, dates);
    const row = {
      active,
      tallied_at: new Date(startedAt),
      cost_ms: now() - startedAt,
      expires_at: new Date(startedAt + KEPT_DAYS * DAY_MS),
    };
    const _id = keyOf(workspaceId, span);
    await tallies.of(workspaceId).updateOne({ _id }, { $set: row }, { upsert: true });
    return active;
  }

  return (workspaceId: string, span: Span): Promise<number> => {
    const key = keyOf(workspaceId, span);
    const known = running.get(key);
    if (known !== undefined) return known;
    const work = () => countNow(workspaceId, span);
    const promise = runInBackground('activity', () => {
      const turn = last.then(work, work);
      last = turn.catch(mayFail('its caller hears of it'));
      return turn;
    });
    running.set(key, promise);
    const finish = () => running.delete(key);
    promise.then(finish, finish);
    return promise;
  };
}

/** The days that any of some spans has a part of. */
function daysOf(spans: readonly Span[]) {
  const first = Math.min(...spans.map(({ from }) => from)) - DAY_MS;
  const end = Math.max(...spans.map(({ until }) => until));
  return { $gte: new Date(first), $lt: new Date(end) };
}

/** Whether a tally still holds: its span was over for long and nothing very late came since, or it is young for what it cost. */
function isGood(
  { tallied_at: talliedAt, cost_ms: cost }: TallyDocument,
  { span: { from, until }, marked }: { span: Span; marked: readonly MarkDocument[] },
  now: number,
): boolean {
  const at = talliedAt.getTime();
  const isMarked = marked.some(
    ({ day, marked_at: markedAt }) =>
      day.getTime() < until && day.getTime() + DAY_MS > from && markedAt.getTime() >= at,
  );
  return (!isMarked && at >= until + LATE_MS) || now - at < KEPT_TIMES * Math.max(1, cost);
}

/** A mark for each day that something comes late about. */
function marksOf(changed: readonly Dated[], moment: number): MarkDocument[] {
  const days = new Map<string, MarkDocument>();
  for (const { workspace_id, event_timestamp: at } of changed) {
    if (at.getTime() > moment - LATE_MS) continue;
    const day = new Date(at.getTime() - (at.getTime() % DAY_MS));
    const _id = `${workspace_id}:${day.getTime()}`;
    days.set(_id, {
      _id,
      workspace_id,
      day,
      marked_at: new Date(moment + MARKED_AHEAD_MS),
    });
  }
  return [...days.values()];
}
