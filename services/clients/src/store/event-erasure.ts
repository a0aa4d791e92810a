import type { Rows, TenantRows } from '@laurel/mongo';
import { ANONYMIZED_NAME } from '../domain/trail-event';
import type { EventDocument } from './event-document';

const SCRUB_BATCH = 5_000;

/** How events of clients who are gone are emptied, handed on and deleted: in pieces, for a client may have very many. */
export function createEventErasure(rows: Rows<EventDocument>) {
  return {
    /**
     * Takes names and values out of a client's events. `orphanedAt` starts their retention. Resolves
     * when nothing is left to scrub; repeating it changes nothing.
     */
    async scrub(workspaceId: string, clientId: string, orphanedAt: Date | null): Promise<void> {
      const own = { client_id: clientId };
      const named = { ...own, client_name_snapshot: { $ne: ANONYMIZED_NAME } };
      const valued = {
        ...own,
        keeps_values: false,
        $or: [{ old_value: { $ne: null } }, { new_value: { $ne: null } }],
      };
      await inBatches(rows.of(workspaceId), valued, { $set: { old_value: null, new_value: null } });
      await inBatches(rows.of(workspaceId), named, {
        $set: { client_name_snapshot: ANONYMIZED_NAME },
      });
      if (orphanedAt)
        await inBatches(
          rows.of(workspaceId),
          { ...own, orphaned_at: { $exists: false } },
          { $set: { orphaned_at: orphanedAt } },
        );
    },

    /** Moves a client's events to another client. Repeating it changes nothing. */
    async moveToClient(workspaceId: string, from: string, to: string): Promise<void> {
      await inBatches(rows.of(workspaceId), { client_id: from }, { $set: { client_id: to } });
    },

    /** Deletes a batch of events orphaned before a moment; says how many it found. */
    async purgeOrphaned(before: Date, limit: number): Promise<number> {
      const due = { orphaned_at: { $exists: true, $lt: before } };
      const all = rows.ofEverybody;
      const found = await all
        .find(due, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      if (found.length > 0) await all.deleteMany({ _id: { $in: found.map((row) => row._id) } });
      return found.length;
    },
  };
}

/** Each update must take its rows out of the filter; that is what ends the loop. */
async function inBatches(
  own: TenantRows<EventDocument>,
  filter: object,
  update: object,
): Promise<void> {
  for (;;) {
    const found = await own
      .find(filter, { projection: { _id: 1 } })
      .limit(SCRUB_BATCH)
      .toArray();
    if (found.length === 0) return;
    await own.updateMany({ _id: { $in: found.map((row) => row._id) } }, update);
  }
}
