import type { ClaimedEvent, OutboxSource } from '@laurel/events';
import { groupBy, newId } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import { createLease } from '@laurel/work';
import type { EntryDocument, WalletRef } from './documents';
import type { EntryStore } from './entries';
import { toEvent } from './entry-event';
import type { Log } from './log';
import type { Snapshots } from './snapshots';

const LEASE = 'relay';
/** Entries of this process that wait in memory, so that relaying them needs no read. */
const FRESH_MAX = 5_000;
/** How often the store is asked for entries that other replicas wrote, or left behind. */
const SCAN_MS = 1_000;
/** How long after another replica was heard of every look is one at the store. */
const OTHERS_MS = 600_000;

export interface RelaySource extends OutboxSource {
  /** Lets another replica take over at once. */
  resign(): Promise<void>;
}

/**
 * The entries as the outbox they are. One replica at a time holds the lease on relaying, so that no entry
 * needs a write to be claimed and events leave in order; when it dies another takes over. An entry is
 * marked only after its snapshot and the status markers it moves stand, so that whatever a crash left
 * half done is done by the next to relay.
 */
export function createRelaySource(parts: {
  connection: Connection;
  entries: EntryStore;
  snapshots: Snapshots;
  log: Pick<Log, 'onCommit'>;
}): RelaySource {
  const { entries, snapshots, log } = parts;
  const turn = createTurn(parts.connection);
  const queue = createQueue(entries);
  const claimed = new Map<string, EntryDocument>();

  return {
    async claim(limit, leaseMs) {
      if (!(await turn.hold(leaseMs))) {
        queue.forget();
        queue.heardOthers();
        return 'not ours';
      }
      const taken = await queue.take(limit);
      claimed.clear();
      for (const entry of taken) claimed.set(entry._id, entry);
      return taken.map((entry): ClaimedEvent => ({ key: entry._id, event: toEvent(entry) }));
    },

    async markPublished(keys) {
      const published = keys.flatMap((key) => claimed.get(key) ?? []);
      await snapshots.ensure(
        published.map((entry) => ({ head: refOf(entry), sequence: entry.sequence })),
      );
      await entries.applyMarks(published);
      await entries.collection.updateMany(
        { _id: { $in: [...keys] }, unrelayed: true },
        { $unset: { unrelayed: '' } },
      );
    },

    async release(keys, retryInMs) {
      queue.giveBack(keys, retryInMs);
    },

    ...backlogOf(entries),

    heardOthers: () => queue.heardOthers(),

    onCommit: (listener) =>
      log.onCommit((written) => {
        queue.add(written);
        listener();
      }),

    resign: () => turn.giveBack(),
  };
}

/** The turn at relaying, which one replica has at a time. */
function createTurn(connection: Connection) {
  const lease = createLease(connection, LEASE, newId());
  let leasedUntil = 0;

  return {
    /** Whether it is ours, for half of `leaseMs` or longer. */
    async hold(leaseMs: number): Promise<boolean> {
      const now = Date.now();
      if (leasedUntil - now > leaseMs / 2) return true;
      const isHeld = await lease.take(leaseMs);
      leasedUntil = isHeld ? now + leaseMs : 0;
      return isHeld;
    },

    async giveBack(): Promise<void> {
      leasedUntil = 0;
      await lease.giveBack();
    },
  };
}

/** Entries that wait to be relayed: those of this process in memory, the others in the store. */
function createQueue({ collection }: EntryStore) {
  const heldBack = new Map<string, number>();
  const fresh = new Map<string, EntryDocument>();
  let scanAt = 0;
  let othersUntil = 0;

  /**
   * The oldest entries that wait. A replica that is alone has them in memory, but for a look at the store every now and
   * then. Where others write, too, its own entry of a wallet may follow one of theirs, which must leave before it.
   */
  async function oldest(limit: number): Promise<EntryDocument[]> {
    const isAlone = Date.now() >= othersUntil;
    if (isAlone && fresh.size > 0 && Date.now() < scanAt)
      return [...fresh.values()].slice(0, limit);
    const found = await collection
      .find({ unrelayed: true })
      .sort({ unrelayed: 1, _id: 1 })
      .limit(limit)
      .batchSize(limit + 1)
      .toArray();
    // A full page means that more is waiting, older than what is in memory.
    if (found.length < limit) scanAt = Date.now() + SCAN_MS;
    return found;
  }

  return {
    add(written: readonly EntryDocument[]): void {
      for (const entry of written) fresh.set(entry._id, entry);
      // What does not fit is found in the store; so is everything once the lease is another's.
      if (fresh.size > FRESH_MAX) fresh.clear();
    },

    async take(limit: number): Promise<EntryDocument[]> {
      const now = Date.now();
      for (const [key, until] of heldBack) if (until <= now) heldBack.delete(key);
      const found = await oldest(limit + heldBack.size);
      const free = inSequence(found.filter(({ _id }) => !heldBack.has(_id))).slice(0, limit);
      for (const { _id } of free) fresh.delete(_id);
      return free;
    },

    /** They wait again, from `retryInMs` on. */
    giveBack(keys: readonly string[], retryInMs: number): void {
      for (const key of keys) if (retryInMs > 0) heldBack.set(key, Date.now() + retryInMs);
      scanAt = 0;
    },

    heardOthers(): void {
      othersUntil = Date.now() + OTHERS_MS;
    },

    /** Drops what is in memory: another replica relays it. */
    forget: (): void => fresh.clear(),
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
      return oldest?.created_at ?? null;
    },
  };
}

function refOf(entry: EntryDocument): WalletRef {
  return {
    id: entry.wallet_id,
    workspaceId: entry.workspace_id,
    clientId: entry.client_id,
    walletTypeId: entry.wallet_type_id,
    walletTypeCode: entry.wallet_type_code,
  };
}
