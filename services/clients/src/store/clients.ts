import { emailKey, phoneKey } from '@laurel/contact';
import { createSharedAnswers, createSharedLookups } from '@laurel/lifecycle';
import {
  type Connection,
  collection,
  createLongCounts,
  limitedTo,
  type Session,
  StaleWrite,
} from '@laurel/mongo';
import type { Client } from '../domain/client';
import { type ClientFilter, toFilter } from './client-filter';
import { type ClientDocument, fromDocument, toDocument } from './mapping';
import { type PageRequest, readPage, type Sort, sortStages } from './page';
import { createProfileStore } from './profiles';
import { createReplaceAll } from './replace-clients';
import { createSearchStore } from './search';
import { settledMoment, TOTAL_KEPT_MS, timeRange } from './totals';

const NEWEST = 'newest';
const NEWEST_FIRST = { date_created: -1, _id: -1 } as const;
/** The local engine reads what is left again for each batch, so batches are few and large. */
const EXPORT_BATCH = 20_000;
/** Some clients are looked up by their ids, however they are sorted: an index of that order leads past all others. */
const BY_ID = '_id_';

export const clients = collection<ClientDocument>('clients', {
  tenant: 'workspace_id',
  person: {
    column: '_id',
    merged: 'by hand: use-cases/merge-clients.ts',
    anonymized: 'by hand: use-cases/anonymize-client.ts',
    deleted: 'by hand: use-cases/delete-client.ts',
    exported: 'by hand: use-cases/export-client.ts',
  },
  growth: {
    per: 'client',
    end: 'stays: until somebody deletes it',
    shardKey: 'hashed _id',
    wayOut: {
      email_unique: 'a slot: a document whose `_id` is the digest of the address, taken first',
    },
  },
  indexes: [
    {
      key: { workspace_id: 1, email_key: 1 },
      name: 'email_unique',
      unique: true,
      partialFilterExpression: { email_key: { $exists: true } },
    },
    {
      key: { workspace_id: 1, phone_key: 1 },
      name: 'phone',
      partialFilterExpression: { phone_key: { $exists: true } },
    },
    { key: { workspace_id: 1, date_created: -1, _id: -1 }, name: NEWEST },
  ],
});

/** What a list holds, and how it is to be found where the store would not choose well by itself. */
interface Matching {
  filter: Record<string, unknown>;
  options: { hint?: string };
}

export interface ListQuestion {
  workspaceId: string;
  filter: ClientFilter;
  sort: Sort;
  page: PageRequest;
}

export interface ClientPage {
  clients: Client[];
  total: number;
  nextCursor: string | null;
}

/** Clients of all workspaces; every question names the workspace first. */
export function createClientStore(connection: Connection) {
  const rows = clients.open(connection);
  const found = (document: ClientDocument | null) => (document ? fromDocument(document) : null);
  const search = createSearchStore(connection);
  const profiles = createProfileStore(connection);
  const totals = createLongCounts<Date>({ keptMs: TOTAL_KEPT_MS });
  const keyOf = (workspaceId: string, id: string): string => `${workspaceId} ${id}`;
  const lookUp = createSharedLookups<string, Client>(async (keys) => {
    const pairs = keys.map((key) => key.split(' '));
    const filter = {
      _id: { $in: pairs.map(([, id]) => id!) },
      workspace_id: { $in: [...new Set(pairs.map(([workspaceId]) => workspaceId!))] },
    };
    const known = (await rows.ofEverybody.find(filter).toArray()).map(fromDocument);
    return new Map(known.map((client) => [keyOf(client.workspace_id, client.id), client]));
  });

  const replaceAll = createReplaceAll(rows, { search, profiles });

  return {
    /** Fails as a duplicate key when the e-mail address is taken. */
    async insert(client: Client, session: Session): Promise<void> {
      const document = toDocument(client);
      await rows.insertOne(document, { session });
      await search.insertAll([document], session);
      await profiles.insertAll([client], session);
    },

    async insertAll(added: readonly Client[], session: Session): Promise<void> {
      if (added.length === 0) return;
      const documents = added.map(toDocument);
      await rows.insertMany(documents, { session });
      await search.insertAll(documents, session);
      await profiles.insertAll(added, session);
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Client | null> {
      return found(await rows.of(workspaceId).findOne({ _id: id }, { session }));
    },

    /** As `find` outside of a transaction; all who ask while a read is under way share the next one. */
    async look(workspaceId: string, id: string): Promise<Client | null> {
      return (await lookUp(keyOf(workspaceId, id))) ?? null;
    },

    async findMany(
      workspaceId: string,
      ids: readonly string[],
      session?: Session,
    ): Promise<Client[]> {
      const some = rows.of(workspaceId).find({ _id: { $in: [...ids] } }, { session });
      return (await some.toArray()).map(fromDocument);
    },

    async findByEmail(workspaceId: string, email: string): Promise<Client | null> {
      const key = emailKey(email);
      if (key === null) return null;
      return found(await rows.of(workspaceId).findOne({ email_key: key }));
    },

    async findByEmails(
      workspaceId: string,
      emails: readonly string[],
      session?: Session,
    ): Promise<Client[]> {
      const keys = emails.map(emailKey).filter((key) => key !== null);
      const some = rows.of(workspaceId).find({ email_key: { $in: keys } }, { session });
      return (await some.toArray()).map(fromDocument);
    },

    /** The client with that number; the oldest where several share it. */
    async findByPhone(workspaceId: string, phone: string): Promise<Client | null> {
      const key = phoneKey(phone);
      if (key === null) return null;
      const oldest = { sort: { _id: 1 } } as const;
      return found(await rows.of(workspaceId).findOne({ phone_key: key }, oldest));
    },

    /** Writes the next revision of a client. Throws StaleWrite when it is no longer the one that was read. */
    async replace(client: Client, session: Session): Promise<Client> {
      const [written] = await replaceAll([client], session);
      return written!;
    },

    replaceAll,

    async remove(client: Client, session: Session): Promise<void> {
      const { id, workspace_id: workspaceId, revision } = client;
      const { deletedCount } = await rows
        .of(workspaceId)
        .deleteOne({ _id: id, revision }, { session });
      if (deletedCount === 0) throw new StaleWrite('the client');
      await search.remove(workspaceId, id, session);
      await profiles.remove(workspaceId, id, session);
      session.once('ended', () => totals.forget(workspaceId));
    },

    /** A page of a workspace's clients. All who ask for the same page while it is being read share the next reading of it. */
    list: createSharedAnswers((question: ListQuestion) => JSON.stringify(question), readList),

    async search(workspaceId: string, text: string, limit: number): Promise<Client[]> {
      const { filter, options } = await matchingClients(workspaceId, { search: text });
      const some = rows.of(workspaceId).find(filter, options).sort(NEWEST_FIRST).limit(limit);
      return (await some.toArray()).map(fromDocument);
    },

    /** The clients of all workspaces after an id, by their ids. */
    async after(id: string, limit: number): Promise<Client[]> {
      const next = rows.ofEverybody.find({ _id: { $gt: id } }, { hint: BY_ID }).sort({ _id: 1 });
      return (await next.limit(limit).toArray()).map(fromDocument);
    },

    /** All matching clients, in no particular order, without holding them in memory. */
    async *stream(workspaceId: string, filter: ClientFilter): AsyncIterable<Client> {
      const matching = await matchingClients(workspaceId, filter);
      const how = { ...matching.options, batchSize: EXPORT_BATCH };
      const cursor = rows.of(workspaceId).find(matching.filter, how);
      for await (const document of cursor) yield fromDocument(document);
    },

    /** Names of all custom fields that matching clients have. */
    async customFieldNames(workspaceId: string, filter: ClientFilter): Promise<string[]> {
      const matching = await matchingClients(workspaceId, filter);
      const names = await rows
        .of(workspaceId)
        .aggregate<{ _id: string }>(matching.filter, [
          { $project: { pair: { $objectToArray: '$custom_fields' } } },
          { $unwind: '$pair' },
          { $group: { _id: '$pair.k' } },
        ])
        .toArray();
      return names.map((row) => row._id).sort();
    },

    /** Clients created per day (UTC). */
    async countPerDay(
      workspaceId: string,
      from: Date | undefined,
      to: Date | undefined,
    ): Promise<Map<string, number>> {
      const day = { $dateToString: { format: '%Y-%m-%d', date: '$date_created' } };
      const days = await rows
        .of(workspaceId)
        .aggregate<{ _id: string; count: number }>(toFilter({ from, to }), [
          { $group: { _id: day, count: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(days.map(({ _id, count }) => [_id, count]));
    },

    /** How many were created from a moment up to another; counted along an index. */
    countCreated: (workspaceId: string, from: Date, until: Date): Promise<number> =>
      rows.of(workspaceId).count({ date_created: { $gte: from, $lt: until } }),

    /** How many there are, deleted ones not among them. */
    countAll: (workspaceId: string): Promise<number> =>
      totalOf(workspaceId, {}, { filter: toFilter({}), options: {} }),

    /** Drops what is remembered of a workspace that is no more. */
    forgetTotals: totals.forget,
  };

  async function readList({ workspaceId, filter, sort, page }: ListQuestion): Promise<ClientPage> {
    const matching = await matchingClients(workspaceId, filter);
    const [{ rows: found, nextCursor }, total] = await Promise.all([
      readPage(
        (part, { skip, limit }) =>
          rows
            .of(workspaceId)
            .find(
              { $and: [matching.filter, part] },
              { ...along(sort, filter), ...matching.options },
            )
            .sort(sortStages(sort))
            .skip(skip)
            .limit(limit)
            .toArray(),
        sort,
        page,
      ),
      totalOf(workspaceId, filter, matching),
    ]);
    return { clients: found.map(fromDocument), total, nextCursor };
  }

  /** The filter with the candidates of a search looked up in their index. */
  async function matchingClients(workspaceId: string, filter: ClientFilter): Promise<Matching> {
    const matching = toFilter(filter);
    const candidates = filter.search ? await search.candidates(workspaceId, filter.search) : null;
    if (!candidates) return { filter: matching, options: {} };
    return { filter: { ...matching, _id: { $in: candidates } }, options: { hint: BY_ID } };
  }

  function totalOf(
    workspaceId: string,
    { search: text, ...others }: ClientFilter,
    { filter, options }: Matching,
  ): Promise<number> {
    const inTexts = text && !options.hint && Object.values(others).every((one) => !one);
    return totals.total({
      key: `${workspaceId} ${JSON.stringify({ ...others, text })}`,
      settled: inTexts ? () => new Date() : settledMoment,
      count: (range, atMost) =>
        inTexts && !range.after
          ? search.count(workspaceId, text, atMost)
          : rows
              .of(workspaceId)
              .count(
                { $and: [filter, timeRange('date_created', range)] },
                { ...options, ...limitedTo(atMost) },
              ),
    });
  }
}

/** The index that holds a list in its order: the local engine would rather sort all of a workspace's clients. */
function along({ column }: Sort, { email }: ClientFilter): { hint?: string } {
  return column === 'date_created' && email === undefined ? { hint: NEWEST } : {};
}

export type ClientStore = ReturnType<typeof createClientStore>;
