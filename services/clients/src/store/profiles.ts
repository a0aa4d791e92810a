import { type CollectionIndexes, type Connection, type Session, StaleWrite } from '@laurel/mongo';
import type { Client } from '../domain/client';
import type { Criterion } from '../domain/segments/criterion';
import { clientPart, newProfile, type Profile } from '../domain/segments/profile';
import { type PageRequest, readPage, type Sort, sortStages } from './page';
import { toQuery } from './profile-query';

const COLLECTION = 'client_profiles';
const NEWEST = 'newest';
const NEWEST_FIRST: Sort = { column: 'date_created', descending: true };

export const profileIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1, date_created: -1, _id: -1 }, name: NEWEST }],
};

interface ProfileDocument extends Omit<Profile, 'id'> {
  _id: string;
  /** What lists are sorted by. */
  date_created: Date;
}

export type ProfileStore = ReturnType<typeof createProfileStore>;

/** One document per client who is not anonymized, with everything that segments ask. */
export function createProfileStore(connection: Connection) {
  const profiles = connection.collection<ProfileDocument>(COLLECTION);
  const matching = (workspaceId: string, criterion: Criterion) => ({
    $and: [{ workspace_id: workspaceId }, toQuery(criterion)],
  });

  async function insertAll(clients: readonly Client[], session: Session): Promise<void> {
    const living = clients.filter(({ status }) => status !== 'anonymized');
    if (living.length === 0) return;
    const added = living.map((client) => toDocument(newProfile(client)));
    await profiles.insertMany(added, { session });
  }

  return {
    insertAll,

    /** Takes over what changed about clients. Whoever is anonymized is in no segment any more. */
    async followAll(clients: readonly Client[], session: Session): Promise<void> {
      const writes = clients.map((client) => {
        const filter = { _id: client.id, workspace_id: client.workspace_id };
        if (client.status === 'anonymized') return { deleteOne: { filter } };
        const update = { $set: clientPart(client), $inc: { revision: 1 } };
        return { updateOne: { filter, update } };
      });
      await profiles.bulkWrite(writes, { session });
    },

    async remove(workspaceId: string, clientId: string, session?: Session): Promise<void> {
      const own = { _id: clientId, workspace_id: workspaceId };
      await profiles.deleteOne(own, session ? { session } : {});
    },

    /**
     * Writes what `change` makes of a profile, for each client that has one. Throws StaleWrite when one was
     * written by somebody else since it was read.
     */
    async revise(
      workspaceId: string,
      changes: ReadonlyMap<string, (profile: Profile) => Profile>,
      session: Session,
    ): Promise<void> {
      if (changes.size === 0) return;
      const filter = { _id: { $in: [...changes.keys()] }, workspace_id: workspaceId };
      const rows = await profiles.find(filter, { session }).toArray();
      const writes = rows.flatMap((row) => {
        const profile = fromDocument(row);
        const next = changes.get(row._id)!(profile);
        if (next === profile) return [];
        const replacement = toDocument({ ...next, revision: row.revision + 1 });
        return [{ replaceOne: { filter: { _id: row._id, revision: row.revision }, replacement } }];
      });
      if (writes.length === 0) return;
      const { matchedCount } = await profiles.bulkWrite(writes, { session });
      if (matchedCount !== writes.length) throw new StaleWrite('a profile');
    },

    /** Makes profiles for clients who have none. */
    async insertMissing(clients: readonly Client[], session: Session): Promise<void> {
      const filter = { _id: { $in: clients.map(({ id }) => id) } };
      const rows = await profiles.find(filter, { projection: { _id: 1 }, session }).toArray();
      const known = new Set(rows.map((row) => row._id));
      await insertAll(
        clients.filter(({ id }) => !known.has(id)),
        session,
      );
    },

    async find(workspaceId: string, clientId: string): Promise<Profile | null> {
      const row = await profiles.findOne({ _id: clientId, workspace_id: workspaceId });
      return row && fromDocument(row);
    },

    count(workspaceId: string, criterion: Criterion): Promise<number> {
      return profiles.countDocuments(matching(workspaceId, criterion));
    },

    /** The ids of clients who comply, the newest first. */
    async list(
      workspaceId: string,
      criterion: Criterion,
      page: PageRequest,
    ): Promise<{ clientIds: string[]; nextCursor: string | null }> {
      const { rows, nextCursor } = await readPage(
        (part, { skip, limit }) =>
          profiles
            // The local engine would rather sort all who comply.
            .find({ $and: [matching(workspaceId, criterion), part] }, { hint: NEWEST })
            .project<{ _id: string; date_created: Date }>({ date_created: 1 })
            .sort(sortStages(NEWEST_FIRST))
            .skip(skip)
            .limit(limit)
            .toArray(),
        NEWEST_FIRST,
        page,
      );
      return { clientIds: rows.map((row) => row._id), nextCursor };
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await profiles.deleteMany({ workspace_id: workspaceId });
    },
  };
}

/** A profile as it is stored. */
export function toDocument({ id, ...profile }: Profile): ProfileDocument {
  return { _id: id, ...profile, date_created: profile.columns.date_created as Date };
}

function fromDocument({ _id, date_created: _at, ...profile }: ProfileDocument): Profile {
  return { id: _id, ...profile };
}
