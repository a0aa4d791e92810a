import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import type { Client } from '../domain/client';
import { emailKey, phoneKey } from './contact-keys';
import { CLIENT_PROJECTION, type ClientDocument, fromDocument, toDocument } from './mapping';
import { afterCursor, cursorAfter, type PageRequest, type Sort, sortStages } from './page';
import { searchFilter } from './search';
import { StaleWrite } from './stale-write';

const COLLECTION = 'clients';
const EXPORT_BATCH = 10_000;

export const clientIndexes: CollectionIndexes = {
  collection: COLLECTION,
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
    { key: { workspace_id: 1, date_created: -1, _id: -1 }, name: 'newest' },
    { key: { workspace_id: 1, search_tokens: 1 }, name: 'search' },
  ],
};

export interface ClientFilter {
  search?: string | undefined;
  status?: string | undefined;
  source?: string | undefined;
  email?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface ClientPage {
  clients: Client[];
  total: number;
  nextCursor: string | null;
}

export type ClientStore = ReturnType<typeof createClientStore>;

/** Clients of all workspaces; every question names the workspace first. */
export function createClientStore(connection: Connection) {
  const clients = connection.collection<ClientDocument>(COLLECTION);
  const found = (document: ClientDocument | null) => (document ? fromDocument(document) : null);
  const projection = CLIENT_PROJECTION;

  return {
    /** Fails as a duplicate key when the e-mail address is taken. */
    async insert(client: Client, session: Session): Promise<void> {
      await clients.insertOne(toDocument(client), { session });
    },

    async insertAll(added: readonly Client[], session: Session): Promise<void> {
      if (added.length > 0) await clients.insertMany(added.map(toDocument), { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Client | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      return found(await clients.findOne(filter, { projection, ...(session ? { session } : {}) }));
    },

    async findMany(
      workspaceId: string,
      ids: readonly string[],
      session?: Session,
    ): Promise<Client[]> {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      const options = { projection, ...(session ? { session } : {}) };
      return (await clients.find(filter, options).toArray()).map(fromDocument);
    },

    async findByEmail(workspaceId: string, email: string): Promise<Client | null> {
      const key = emailKey(email);
      if (key === null) return null;
      return found(
        await clients.findOne({ workspace_id: workspaceId, email_key: key }, { projection }),
      );
    },

    async findByEmails(
      workspaceId: string,
      emails: readonly string[],
      session: Session,
    ): Promise<Client[]> {
      const keys = emails.map(emailKey).filter((key) => key !== null);
      const filter = { workspace_id: workspaceId, email_key: { $in: keys } };
      return (await clients.find(filter, { projection, session }).toArray()).map(fromDocument);
    },

    /** The client with that number; the oldest where several share it. */
    async findByPhone(workspaceId: string, phone: string): Promise<Client | null> {
      const key = phoneKey(phone);
      if (key === null) return null;
      const filter = { workspace_id: workspaceId, phone_key: key };
      return found(await clients.findOne(filter, { projection, sort: { _id: 1 } }));
    },

    /** Writes the next revision of a client. Throws StaleWrite when it is no longer the one that was read. */
    async replace(client: Client, session: Session): Promise<Client> {
      const next = { ...client, revision: client.revision + 1 };
      const filter = {
        _id: client.id,
        workspace_id: client.workspace_id,
        revision: client.revision,
      };
      const { matchedCount } = await clients.replaceOne(filter, toDocument(next), { session });
      if (matchedCount === 0) throw new StaleWrite('the client');
      return next;
    },

    async remove(client: Client, session: Session): Promise<void> {
      const { deletedCount } = await clients.deleteOne(
        { _id: client.id, workspace_id: client.workspace_id, revision: client.revision },
        { session },
      );
      if (deletedCount === 0) throw new StaleWrite('the client');
    },

    async list(
      workspaceId: string,
      filter: ClientFilter,
      sort: Sort,
      page: PageRequest,
    ): Promise<ClientPage> {
      const matching = toFilter(workspaceId, filter);
      const position = page.cursor === undefined ? null : afterCursor(page.cursor, sort);
      const rows = clients
        .find(position ? { $and: [matching, position] } : matching, { projection })
        .sort(sortStages(sort))
        .skip(page.cursor === undefined ? page.offset : 0)
        .limit(page.limit + 1)
        .toArray();
      const [documents, total] = await Promise.all([rows, clients.countDocuments(matching)]);
      const shown = documents.slice(0, page.limit);
      const last = shown.at(-1);
      return {
        clients: shown.map(fromDocument),
        total,
        nextCursor: last && documents.length > page.limit ? cursorAfter(last, sort) : null,
      };
    },

    async search(workspaceId: string, text: string, limit: number): Promise<Client[]> {
      const matching = toFilter(workspaceId, { search: text });
      const documents = await clients
        .find(matching, { projection })
        .sort({ date_created: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return documents.map(fromDocument);
    },

    /** All matching clients, in no particular order, without holding them in memory. */
    async *stream(workspaceId: string, filter: ClientFilter): AsyncIterable<Client> {
      const matching = toFilter(workspaceId, filter);
      const cursor = clients.find(matching, { projection, batchSize: EXPORT_BATCH });
      for await (const document of cursor) yield fromDocument(document);
    },

    /** Names of all custom fields that matching clients have. */
    async customFieldNames(workspaceId: string, filter: ClientFilter): Promise<string[]> {
      const rows = await clients
        .aggregate<{ _id: string }>([
          { $match: toFilter(workspaceId, filter) },
          { $project: { pair: { $objectToArray: '$custom_fields' } } },
          { $unwind: '$pair' },
          { $group: { _id: '$pair.k' } },
        ])
        .toArray();
      return rows.map((row) => row._id).sort();
    },

    /** Clients created per day (UTC). */
    async countPerDay(
      workspaceId: string,
      from: Date | undefined,
      to: Date | undefined,
    ): Promise<Map<string, number>> {
      const day = { $dateToString: { format: '%Y-%m-%d', date: '$date_created' } };
      const rows = await clients
        .aggregate<{ _id: string; count: number }>([
          { $match: toFilter(workspaceId, { from, to }) },
          { $group: { _id: day, count: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(rows.map(({ _id, count }) => [_id, count]));
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await clients.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function toFilter(workspaceId: string, filter: ClientFilter): Record<string, unknown> {
  const { search, status, source, email, from, to } = filter;
  return {
    workspace_id: workspaceId,
    ...(status === undefined ? {} : { status }),
    ...(source === undefined ? {} : { source }),
    ...(email === undefined ? {} : { email_key: emailKey(email) ?? '' }),
    ...(from || to
      ? { date_created: { ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) } }
      : {}),
    ...(search ? searchFilter(search) : {}),
  };
}
