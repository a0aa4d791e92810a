import { createSharedLookups } from '@laurel/lifecycle';
import type { Connection } from 'mongoose';
import { collection } from './collection';
import { type Database, erasePerson, mergePerson } from './database';
import { isDuplicateKey } from './errors';
import type { Erasure, Merge } from './persons';
import { unitOfWork } from './unit-of-work';

interface DepartureDocument {
  /** The client that is no more, or no more known. */
  _id: string;
  workspace_id: string;
  /** Whom it became part of. */
  target_id?: string;
  /** How its data was erased. */
  ended?: Erasure['ending'];
}

const STAYS = 'stays: it is what says so';

/** What became of clients, for work that was on its way when it happened; called after what it held first. */
export const departures = collection<DepartureDocument>('merges', {
  tenant: 'workspace_id',
  person: {
    column: '_id',
    merged: STAYS,
    anonymized: STAYS,
    deleted: 'as anonymized',
    exported: 'withheld: ids alone',
  },
  growth: {
    per: 'client that was merged or erased',
    end: 'stays: what was on its way may come back to it',
    shardKey: 'hashed _id',
  },
  indexes: [],
  retired: ['target'],
});

export type Departures = ReturnType<typeof createDepartures>;

/** Who a client is now. */
export interface Current {
  /** Itself, or whom it became part of. */
  clientId: string;
  /** The names that it no longer goes by, first the one that was asked for. */
  formerly: string[];
  /** How the one it is now was erased; null where it was not. */
  ended: Erasure['ending'] | null;
}

/**
 * Closes the gap between deciding on a client and having written it: a merge or an erasure in between moves or erases what
 * it finds, and what is written a moment later stays. So a departure is noted before anything is moved or erased, and
 * the writer catches up afterwards: a departure that is not known by then finds it all.
 */
export function createDepartures(connection: Connection) {
  const rows = departures.open(connection);
  const lookUp = createSharedLookups<string, DepartureDocument>(async (clientIds) => {
    const found = await rows.ofEverybody.find({ _id: { $in: [...clientIds] } }).toArray();
    return new Map(found.map((row) => [row._id, row]));
  });
  const note = async (workspaceId: string, clientId: string, what: Partial<DepartureDocument>) => {
    const write = () =>
      rows.of(workspaceId).updateOne({ _id: clientId }, { $set: what }, { upsert: true });
    try {
      await write();
    } catch (error) {
      // Another consumer of this service noted it at the same moment: the row is there now.
      if (!isDuplicateKey(error)) throw error;
      await write();
    }
  };

  return {
    noteMerge: ({ workspaceId, source, target }: Merge): Promise<void> =>
      note(workspaceId, source, { target_id: target }),

    noteErasure: ({ workspaceId, clientId, ending }: Erasure): Promise<void> =>
      note(workspaceId, clientId, { ended: ending }),

    /** All who ask while a read is under way share the next one. */
    async currentOf(workspaceId: string, clientId: string): Promise<Current> {
      const row = await lookUp(clientId);
      if (row?.workspace_id !== workspaceId) return { clientId, formerly: [], ended: null };
      if (row.target_id === undefined) return { clientId, formerly: [], ended: row.ended ?? null };
      const target = await this.currentOf(workspaceId, row.target_id);
      return { ...target, formerly: [clientId, ...target.formerly] };
    },

    /**
     * Moves and erases once more what was written for a client that has departed. Resolves with who it is now. Who wrote it
     * as of a look before (`currentOf`), under that name and erased as that says (`writtenAs`), pays for no more than a look
     * where nothing happened in between.
     */
    async catchUp(
      database: Database,
      { workspaceId, clientId }: { workspaceId: string; clientId: string },
      writtenAs: Current['ended'] = null,
    ): Promise<string> {
      const { clientId: target, formerly, ended } = await this.currentOf(workspaceId, clientId);
      if (target === clientId && ended === writtenAs) return target;
      for (const source of formerly) {
        const merge = { workspaceId, source, target };
        await unitOfWork(connection, (session) => mergePerson(database, merge, session));
      }
      // In parts, and safe to repeat: there may be very much of one client.
      if (ended) await erasePerson(database, { workspaceId, clientId: target, ending: ended });
      return target;
    },
  };
}
