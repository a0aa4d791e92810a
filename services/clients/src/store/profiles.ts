import {
  type Connection,
  collection,
  type Merge,
  orStale,
  type Session,
  StaleWrite,
  type Unit,
} from '@laurel/mongo';
import { emailKeyOf, phoneKey } from '@laurel/values/contact';
import type { Client } from '../domain/client';
import type { AudienceGroup } from '../domain/segments/audience';
import type { Criterion } from '../domain/segments/criterion';
import type { ContactKeys } from '../domain/segments/fields';
import { clientPart, newProfile, type Profile } from '../domain/segments/profile';
import { type PageRequest, readPage, type Sort } from './page';
import { toQuery } from './profile-query';
import { type Searchable, searchText } from './search';

/** The forms that clients are found by. */
export const CONTACT_KEYS: ContactKeys = { email: emailKeyOf, phone: phoneKey };

export const NEWEST = 'newest';
const NEWEST_FIRST: Sort = { column: 'date_created', descending: true };

interface ProfileDocument extends Omit<Profile, 'id'> {
  _id: string;
  /** What lists are sorted by. */
  date_created: Date;
  /** What a search compares, as of the columns. */
  search_text: string;
}

export const profiles = collection<ProfileDocument>('client_profiles', {
  tenant: 'workspace_id',
  person: {
    column: '_id',
    merged: goWithSource,
    anonymized: 'goes',
    deleted: 'goes',
    exported: 'withheld: made of what is shown',
  },
  growth: {
    per: 'client',
    end: 'stays: goes with its client',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1, date_created: -1, _id: -1 }, name: NEWEST }],
});

export type ProfileStore = ReturnType<typeof createProfileStore>;

/** One document per client who is not anonymized, with everything that segments ask. */
export function createProfileStore(connection: Connection) {
  const rows = profiles.open(connection);
  return { ...profileWrites(rows), ...profileReads(rows) };
}

type ProfileRows = ReturnType<typeof profiles.open>;

async function insertProfiles(
  rows: ProfileRows,
  clients: readonly Client[],
  session: Session,
): Promise<void> {
  const living = clients.filter(({ status }) => status !== 'anonymized');
  if (living.length === 0) return;
  const added = living.map((client) => toDocument(newProfile(client, CONTACT_KEYS)));
  await rows.insertMany(added, { session });
}

function profileWrites(rows: ProfileRows) {
  return {
    insertAll: (clients: readonly Client[], session: Session): Promise<void> =>
      insertProfiles(rows, clients, session),

    /** Takes over what changed about clients. An anonymized client is in no segment any more. */
    async followAll(clients: readonly Client[], session: Session): Promise<void> {
      const writes = clients.map((client) => {
        const filter = { _id: client.id, workspace_id: client.workspace_id };
        if (client.status === 'anonymized') return { deleteOne: { filter } };
        const part = { ...clientPart(client, CONTACT_KEYS), search_text: searchText(client) };
        const update = { $set: part, $inc: { revision: 1 } };
        return { updateOne: { filter, update } };
      });
      await rows.bulkWrite(writes, { session });
    },

    async remove(workspaceId: string, clientId: string, session?: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: clientId }, { session });
    },

    /** Keeps others from writing profiles until a unit of work has ended: they wait, and try again. */
    async hold(workspaceId: string, clientIds: readonly string[], session: Session): Promise<void> {
      const those = { _id: { $in: [...clientIds] } };
      await rows.of(workspaceId).updateMany(those, { $inc: { revision: 1 } }, { session });
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
      const filter = { _id: { $in: [...changes.keys()] } };
      const known = await rows.of(workspaceId).find(filter, { session }).toArray();
      const writes = known.flatMap((row) => {
        const profile = fromDocument(row);
        const next = changes.get(row._id)!(profile);
        if (next === profile) return [];
        const replacement = toDocument({ ...next, revision: row.revision + 1 });
        return [{ replaceOne: { filter: { _id: row._id, revision: row.revision }, replacement } }];
      });
      if (writes.length === 0) return;
      const { matchedCount } = await rows.bulkWrite(writes, { session });
      if (matchedCount !== writes.length) throw new StaleWrite('a profile');
    },

    /** Makes profiles for clients who have none. Throws StaleWrite when somebody else made one of them meanwhile. */
    async insertMissing(
      workspaceId: string,
      clients: readonly Client[],
      session: Session,
    ): Promise<void> {
      const filter = { _id: { $in: clients.map(({ id }) => id) } };
      const options = { projection: { _id: 1 }, session };
      const found = await rows.of(workspaceId).find(filter, options).toArray();
      const known = new Set(found.map((row) => row._id));
      const missing = clients.filter(({ id }) => !known.has(id));
      await orStale('a profile', insertProfiles(rows, missing, session));
    },
  };
}

/** What segments ask. */
function profileReads(rows: ProfileRows) {
  return {
    async find(workspaceId: string, clientId: string): Promise<Profile | null> {
      const row = await rows.of(workspaceId).findOne({ _id: clientId });
      return row && fromDocument(row);
    },

    count(workspaceId: string, criterion: Criterion): Promise<number> {
      return rows.of(workspaceId).count(toQuery(criterion));
    },

    /** When the latest of some kinds of events were, of each of some clients; without those that had none. */
    async times(
      workspaceId: string,
      clientIds: readonly string[],
    ): Promise<Map<string, Profile['times']>> {
      const some = rows
        .of(workspaceId)
        .find({ _id: { $in: [...clientIds] } })
        .project<Pick<ProfileDocument, '_id' | 'times'>>({ times: 1 });
      return new Map((await some.toArray()).map(({ _id, times }) => [_id, times]));
    },

    /** Those who comply, counted in one pass by what decides how they can be reached and what they may have. */
    async groups(workspaceId: string, criterion: Criterion): Promise<AudienceGroup[]> {
      const grouped = rows.of(workspaceId).aggregate<{
        _id: Omit<AudienceGroup, 'count'>;
        count: number;
      }>(toQuery(criterion), [
        {
          $group: {
            _id: {
              hasPass: { $gt: [{ $size: '$passes' }, 0] },
              consents: { $eq: ['$columns.marketing_consent', true] },
              loyaltyEnabled: { $eq: ['$columns.loyalty_program_enabled', true] },
              tierId: '$tier_id',
            },
            count: { $sum: 1 },
          },
        },
      ]);
      return (await grouped.toArray()).map(({ _id, count }) => ({ ..._id, count }));
    },

    /** The ids of clients who comply, the newest first. */
    async list(
      workspaceId: string,
      criterion: Criterion,
      page: PageRequest,
    ): Promise<{ clientIds: string[]; nextCursor: string | null }> {
      const { rows: found, nextCursor } = await readPage(
        {
          find: (part) =>
            rows
              .of(workspaceId)
              // The local engine would rather sort all who comply.
              .find({ $and: [toQuery(criterion), part] }, { hint: NEWEST })
              .project<{ _id: string; date_created: Date }>({ date_created: 1 }),
        },
        NEWEST_FIRST,
        page,
      );
      return { clientIds: found.map((row) => row._id), nextCursor };
    },
  };
}

/** The target's is made anew. */
async function goWithSource(
  { rows, session }: Unit<ProfileDocument>,
  { source }: Merge,
): Promise<void> {
  await rows.deleteOne({ _id: source }, { session });
}

/** A profile as it is stored. */
export function toDocument({ id, ...profile }: Profile): ProfileDocument {
  return {
    _id: id,
    ...profile,
    date_created: profile.columns.date_created as Date,
    search_text: searchText(profile.columns as unknown as Searchable),
  };
}

function fromDocument({
  _id,
  date_created: _at,
  search_text: _text,
  ...profile
}: ProfileDocument): Profile {
  return { id: _id, ...profile };
}
