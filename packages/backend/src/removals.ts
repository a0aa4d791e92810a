import { contextOf, type EventOf, type Handler, type Once } from '@laurel/events';
import { runInContext } from '@laurel/lifecycle';
import { type Connection, collection, unitOfWork } from '@laurel/mongo';
import type { Job } from '@laurel/work';
import type { ConsumerSpec } from './consumer-spec';

const REMOVED = 'identity.workspace_deleted';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/**
 * When what came in between is removed as well, after the removal: when the retries of a queue have ended (45 minutes), when
 * nothing waits for a newer release any more (a day), and when no outbox has anything left that a replay could bring (a week).
 */
const AGAIN_MS: readonly number[] = [HOUR_MS, 26 * HOUR_MS, 8 * DAY_MS];
/** A removal that fails lets those of others go first. */
const NEXT_TRY_MS = 10 * MINUTE_MS;
const LOOK_EVERY_MS = 10 * MINUTE_MS;

interface RemovalDocument {
  /** The workspace. */
  _id: string;
  /** What said so; the handlers get it once more. */
  event: EventOf<typeof REMOVED>;
  removed_at: Date;
  /** How often it was removed again. */
  times: number;
  due_at: Date;
}

export const removedWorkspaces = collection<RemovalDocument>('removed_workspaces', {
  tenant: 'none: it outlives its workspace, to remove what came later',
  person: 'nobody',
  growth: { per: 'deleted workspace', end: '8 days after its workspace', shardKey: 'whole' },
  indexes: [{ key: { due_at: 1 }, name: 'due' }],
});

interface Clock {
  now(): Date;
}

/**
 * Has what a service holds of a deleted workspace removed again, until nothing can come any more: events
 * that were on their way bring rows back (docs/adr/0035). Who listens to the deletion by name is taken to remove.
 */
export function createRemovals(
  connection: Connection,
  consumers: readonly ConsumerSpec[],
  clock: Clock = { now: () => new Date() },
): { consumers: ConsumerSpec[]; job: Job } {
  const store = createStore(connection, clock);
  const removing = consumers.flatMap((spec) => removerOf(spec) ?? []);
  const remembering = (spec: ConsumerSpec): ConsumerSpec => {
    const remove = removerOf(spec);
    if (!remove || !spec.handlers) return spec;
    const heard: Remover = async (event, once) => {
      await remove(event, once);
      await store.note(event);
    };
    return { ...spec, handlers: { ...spec.handlers, [REMOVED]: heard } };
  };

  async function removeAgain(): Promise<{ more: boolean }> {
    const removal = await store.take();
    if (!removal) return { more: false };
    const { event } = removal;
    // What is there now came after the first time; no inbox knows of it.
    const again: Once = (effect) => unitOfWork(connection, effect);
    for (const remove of removing) await runInContext(contextOf(event), () => remove(event, again));
    await store.settle(removal);
    return { more: true };
  }

  return {
    consumers: consumers.map(remembering),
    job: {
      name: 'remove-workspaces-again',
      every: LOOK_EVERY_MS,
      alone: true,
      work: removing.length === 0 ? async () => undefined : removeAgain,
    },
  };
}

type Remover = Handler<typeof REMOVED>;

function removerOf({ queue, handlers, batch }: ConsumerSpec): Remover | undefined {
  if (batch?.types.includes(REMOVED))
    throw new Error(`${queue} hears of deleted workspaces in a batch`);
  return handlers?.[REMOVED];
}

function createStore(connection: Connection, clock: Clock) {
  const rows = removedWorkspaces.open(connection).ofEverybody;
  const dueAfter = (removedAt: Date, times: number): Date | null => {
    const afterMs = AGAIN_MS[times];
    return afterMs === undefined ? null : new Date(removedAt.getTime() + afterMs);
  };

  return {
    /** From the beginning also where it was known: a replay that tells of it again brings the rest, too. */
    async note(event: EventOf<typeof REMOVED>): Promise<void> {
      const removedAt = clock.now();
      const due_at = dueAfter(removedAt, 0)!;
      const row = { event, removed_at: removedAt, times: 0, due_at };
      await rows.updateOne({ _id: event.workspaceid }, { $set: row }, { upsert: true });
    },

    async take(): Promise<RemovalDocument | null> {
      const now = clock.now();
      const later = { $set: { due_at: new Date(now.getTime() + NEXT_TRY_MS) } };
      return rows.findOneAndUpdate({ due_at: { $lte: now } }, later, { sort: { due_at: 1 } });
    },

    async settle({ _id, removed_at, times }: RemovalDocument): Promise<void> {
      // What was noted anew meanwhile stands.
      const same = { _id, removed_at, times };
      const due_at = dueAfter(removed_at, times + 1);
      if (due_at) await rows.updateOne(same, { $set: { times: times + 1, due_at } });
      else await rows.deleteOne(same);
    },
  };
}
