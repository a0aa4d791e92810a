import {
  type ClaimedEvent,
  InFlight,
  type OutboxSource,
  SLOTS,
  type Slots,
  StoreLooks,
  slotOf,
  Waiting,
} from '@laurel/events';
import { groupBy } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { EntryDocument } from './documents';
import type { EntryStore } from './entries';
import { toEvent } from './entry-event';
import type { Log } from './log';
import { walletOf } from './mapping';
import { createOlderRelay } from './older-relay';
import type { Snapshots } from './snapshots';

/** How long after another replica was heard of every look is one at the store. */
const OTHERS_MS = 600_000;

interface Parts {
  connection: Connection;
  entries: EntryStore;
  snapshots: Snapshots;
  log: Pick<Log, 'follow'>;
  /** Without them this process relays everything. */
  slots?: Slots;
}

/** The slot of an entry is that of its event: the same for all entries of a client. */
const slotOfEntry = ({ workspace_id, client_id }: Owned): number =>
  slotOf({ workspaceid: workspace_id, subject: client_id });

/**
 * The entries as the outbox they are. A replica relays what is in the slots that it holds (docs/adr/0040), whichever
 * replica wrote it, so that no entry needs a write to be claimed and events of a client leave in order; when it dies others
 * take its slots over. An entry is marked only after its snapshot and the status markers it moves stand, so that whatever
 * a crash left half done is done by the next to relay.
 */
export function createRelaySource(parts: Parts): OutboxSource {
  const { entries, log, slots } = parts;
  const older = createOlderRelay(parts.connection);
  const holds = (entry: Owned) => slots?.holds(slotOfEntry(entry)) ?? true;
  const held = () => slots?.held().length ?? SLOTS;
  const shareNow = () => {
    const own = new Set(slots?.held());
    return (entry: Owned) => slots === undefined || own.has(slotOfEntry(entry));
  };
  const queue = createQueue(entries, { shareNow, sharesNone: () => held() === SLOTS });
  const claimed = new Map<string, EntryDocument>();
  const inFlight = new InFlight();
  const mark = markerOf(parts);
  const commits = commitsOf(log, { holds, queue });

  slots?.use({
    gained: () => {
      queue.forget();
      commits.call();
    },
    lost: (slot) => {
      queue.forget();
      return inFlight.arrived(slot);
    },
  });

  return {
    async claim(limit, leaseMs) {
      // Of the batch before no publication is under way: what came to no end waits again, before what follows it.
      if (!inFlight.isEmpty()) queue.forget();
      inFlight.land();
      claimed.clear();
      if (held() === 0 || (await older.relays(leaseMs))) {
        queue.forget();
        queue.heardOthers();
        return 'not ours';
      }
      // A slot may have been let go while the store was asked.
      const taken = (await queue.take(limit)).filter(holds);
      for (const entry of taken) {
        claimed.set(entry._id, entry);
        inFlight.add(entry._id, slotOfEntry(entry));
      }
      return taken.map((entry): ClaimedEvent => ({ key: entry._id, event: toEvent(entry) }));
    },

    async markPublished(keys) {
      const published = keys.flatMap((key) => claimed.get(key) ?? []);
      // Where that fails they are in flight until the next claim, which looks for them again.
      await mark(published);
      inFlight.land(keys);
    },

    async release(keys, retryInMs) {
      queue.giveBack(keys, retryInMs);
      inFlight.land(keys);
    },

    ...backlogOf(entries, queue),

    takeForOthers: commits.takeForOthers,
    heardOthers: () => queue.heardOthers(),

    onCommit: commits.listen,

    async resign() {
      inFlight.land();
    },
  };
}

/** What this process commits: entries of its own slots go to its queue, others are to be relayed elsewhere. */
function commitsOf(
  log: Pick<Log, 'follow'>,
  { holds, queue }: { holds: (entry: Owned) => boolean; queue: ReturnType<typeof createQueue> },
) {
  const listeners = new Set<() => void>();
  let isForOthers = false;

  return {
    call(): void {
      for (const listener of listeners) listener();
    },

    takeForOthers(): boolean {
      const wasForOthers = isForOthers;
      isForOthers = false;
      return wasForOthers;
    },

    listen(listener: () => void): () => void {
      listeners.add(listener);
      const stop = log.follow({
        committed(written) {
          const ours = written.filter(holds);
          queue.add(ours);
          isForOthers ||= ours.length < written.length;
          listener();
        },
        // It is in no memory, so that what follows would pass it, and may be another replica's to relay.
        unheard() {
          queue.doubt();
          isForOthers = true;
          listener();
        },
      });
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
  };
}

/** Writes down that entries have left: the snapshots and status markers that follow from them come first. */
function markerOf({ entries, snapshots }: Pick<Parts, 'entries' | 'snapshots'>) {
  return async (published: readonly EntryDocument[]): Promise<void> => {
    await snapshots.ensure(
      published.map((entry) => ({ head: walletOf(entry), sequence: entry.sequence })),
    );
    await entries.applyMarks(published);
    await entries.collection.updateMany(
      { _id: { $in: published.map(({ _id }) => _id) }, unrelayed: true },
      { $unset: { unrelayed: '' } },
    );
  };
}

/** What says whose slot an entry is in. */
type Owned = Pick<EntryDocument, '_id' | 'workspace_id' | 'client_id'>;

interface Share {
  /** Whether this process holds the slot of an entry, by the slots that it has now. */
  shareNow(): (entry: Owned) => boolean;
  /** Whether this process holds every slot. */
  sharesNone(): boolean;
}

/** Reads past what others relay (docs/adr/0040). A slot that comes during a look waits for the next, as some of it was passed by. */
function storedOf({ collection }: EntryStore, { shareNow, sharesNone }: Share) {
  const waiting = (filter: object, limit: number) =>
    collection
      .find({ unrelayed: true, ...filter })
      .sort({ unrelayed: 1, _id: 1 })
      .limit(limit)
      .batchSize(limit + 1);

  return async function stored(from: string, limit: number): Promise<EntryDocument[]> {
    const behind = (after: string) => (after === '' ? {} : { _id: { $gt: after } });
    if (sharesNone()) return waiting(behind(from), limit).toArray();
    const isOurs = shareNow();
    const own: string[] = [];
    for (let after = from; own.length < limit; ) {
      const page = await waiting(behind(after), limit)
        .project<Owned>({ workspace_id: 1, client_id: 1 })
        .toArray();
      own.push(...page.filter(isOurs).map(({ _id }) => _id));
      if (page.length < limit) break;
      after = page.at(-1)!._id;
    }
    if (own.length === 0) return [];
    return waiting({ _id: { $in: own.slice(0, limit) } }, limit).toArray();
  };
}

/** Entries that wait to be relayed here: those of this process in memory, the others in the store. */
function createQueue(entries: EntryStore, share: Share) {
  const stored = storedOf(entries, share);
  const heldBack = new Map<string, number>();
  /** Those of this process, so that relaying them needs no read. */
  const fresh = new Waiting<EntryDocument>(({ _id }) => _id);
  const looks = new StoreLooks();
  let othersUntil = 0;

  /**
   * The oldest entries that wait. A replica that is alone has them in memory, but for a look at the store every now and
   * then. Where others write, too, its own entry of a wallet may follow one of theirs, which must leave before it.
   */
  async function oldest(limit: number): Promise<EntryDocument[]> {
    const isAlone = share.sharesNone() && performance.now() >= othersUntil;
    if (isAlone && fresh.size > 0 && !looks.isDue()) return fresh.all().slice(0, limit);
    // A full page means that more is waiting, older than what is in memory.
    return looks.look(
      (after) => stored(after, limit),
      (found) => found.length < limit,
      limit,
    );
  }

  /** Drops what is in memory: the store has it, and what comes next must not pass it. */
  function forget(): void {
    fresh.clear();
    looks.ask();
  }

  return {
    add(written: readonly EntryDocument[]): void {
      fresh.add(written);
      if (!fresh.hasRoom()) forget();
    },

    async take(limit: number): Promise<EntryDocument[]> {
      const now = performance.now();
      for (const [key, until] of heldBack) if (until <= now) heldBack.delete(key);
      const found = await oldest(limit + heldBack.size);
      const free = inSequence(found.filter(({ _id }) => !heldBack.has(_id))).slice(0, limit);
      return fresh.take(free);
    },

    /** They wait again, from `retryInMs` on. */
    giveBack(keys: readonly string[], retryInMs: number): void {
      for (const key of keys) if (retryInMs > 0) heldBack.set(key, performance.now() + retryInMs);
      if (retryInMs > 0) looks.doubt(2 * retryInMs);
      else looks.ask();
    },

    heardOthers(): void {
      othersUntil = performance.now() + OTHERS_MS;
    },

    forget,
    doubt: (): void => looks.doubt(),
    measured: (oldest: Date | null): void => looks.measured(oldest),
  };
}

/** Entries of one wallet in the order of its log: their ids are of the clocks of those who wrote them. */
function inSequence(entries: readonly EntryDocument[]): EntryDocument[] {
  const byWallet = groupBy(entries, ({ wallet_id }) => wallet_id);
  for (const own of byWallet.values()) own.sort((a, b) => a.sequence - b.sequence);
  return entries.map(({ wallet_id }) => byWallet.get(wallet_id)!.shift()!);
}

/** How much waits, and since when. */
function backlogOf(
  entries: EntryStore,
  queue: ReturnType<typeof createQueue>,
): Pick<OutboxSource, 'pendingCount' | 'isPending' | 'oldestPendingAt'> {
  return {
    pendingCount: () => entries.collection.countDocuments({ unrelayed: true }),

    async isPending(workspaceId) {
      const filter = { unrelayed: true as const, workspace_id: workspaceId };
      return (await entries.collection.findOne(filter, { projection: { _id: 1 } })) !== null;
    },

    async oldestPendingAt() {
      const oldest = await entries.collection.findOne(
        { unrelayed: true },
        { sort: { unrelayed: 1, _id: 1 }, projection: { created_at: 1 } },
      );
      queue.measured(oldest?.created_at ?? null);
      return oldest?.created_at ?? null;
    },
  };
}
