import type { ClaimedEvent, OutboxSource } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
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

export interface RelaySource extends OutboxSource {
  /** Lets another replica take over at once. */
  resign(): Promise<void>;
}

/**
 * The entries as the outbox they are. One replica at a time holds the lease on relaying, so that no entry
 * needs a write to be claimed and events leave in order; when it dies another takes over. An entry is
 * marked only after its snapshot and the status markers it moves stand, so that whatever a crash left
 * half done is done by whoever relays next.
 */
export function createRelaySource(parts: {
  connection: Connection;
  entries: EntryStore;
  snapshots: Snapshots;
  log: Pick<Log, 'onCommit'>;
}): RelaySource {
  const { connection, entries, snapshots, log } = parts;
  const lease = createLease(connection, LEASE, newId());
  const claimed = new Map<string, EntryDocument>();
  const heldBack = new Map<string, number>();
  const fresh = new Map<string, EntryDocument>();
  let leasedUntil = 0;
  let scanAt = 0;

  function noteFresh(written: readonly EntryDocument[]): void {
    for (const entry of written) fresh.set(entry._id, entry);
    // What does not fit is found in the store; so is everything once the lease is another's.
    if (fresh.size > FRESH_MAX) fresh.clear();
  }

  /** The oldest entries that wait: from memory, but for a look at the store every now and then. */
  async function waiting(limit: number): Promise<EntryDocument[]> {
    if (fresh.size > 0 && Date.now() < scanAt) return [...fresh.values()].slice(0, limit);
    const found = await entries.collection
      .find({ unrelayed: true })
      .sort({ unrelayed: 1, _id: 1 })
      .limit(limit)
      .batchSize(limit + 1)
      .toArray();
    // A full page means that more is waiting, older than what is in memory.
    if (found.length < limit) scanAt = Date.now() + SCAN_MS;
    return found;
  }

  async function holdLease(leaseMs: number): Promise<boolean> {
    const now = Date.now();
    if (leasedUntil - now > leaseMs / 2) return true;
    const isHeld = await lease.take(leaseMs);
    leasedUntil = isHeld ? now + leaseMs : 0;
    return isHeld;
  }

  return {
    async claim(limit, leaseMs) {
      if (!(await holdLease(leaseMs))) {
        fresh.clear();
        return 'not ours';
      }
      const now = Date.now();
      for (const [key, until] of heldBack) if (until <= now) heldBack.delete(key);
      const found = await waiting(limit + heldBack.size);
      const free = found.filter(({ _id }) => !heldBack.has(_id)).slice(0, limit);
      claimed.clear();
      for (const entry of free) {
        claimed.set(entry._id, entry);
        fresh.delete(entry._id);
      }
      return free.map((entry): ClaimedEvent => ({ key: entry._id, event: toEvent(entry) }));
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
      for (const key of keys) if (retryInMs > 0) heldBack.set(key, Date.now() + retryInMs);
      scanAt = 0;
    },

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

    onCommit: (listener) =>
      log.onCommit((written) => {
        noteFresh(written);
        listener();
      }),

    async resign() {
      leasedUntil = 0;
      await lease.giveBack();
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
