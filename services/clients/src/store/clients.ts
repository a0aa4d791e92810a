import {
  type Connection,
  collection,
  onEnded,
  type Rows,
  type Session,
  StaleWrite,
} from '@laurel/mongo';
import type { Client } from '../domain/client';
import { createClientCounts } from './client-counts';
import { createClientLists, NEWEST } from './client-lists';
import { createClientLookups } from './client-lookups';
import { type ClientDocument, toDocument } from './mapping';
import { createProfileStore } from './profiles';
import { createReplaceAll } from './replace-clients';
import { createSearchStore, newestTexts } from './search';

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

/** Clients of all workspaces; every question names the workspace first. */
export function createClientStore(connection: Connection) {
  const rows = clients.open(connection);
  const search = createSearchStore(connection, newestTexts(rows));
  const counts = createClientCounts(rows, search);
  return {
    ...clientWrites(rows, {
      search,
      profiles: createProfileStore(connection),
      forgetTotals: counts.forgetTotals,
    }),
    ...createClientLookups(rows),
    ...createClientLists(rows, { search, counts }),
    countPerDay: counts.perDay,
    countCreated: counts.created,
    countAll: counts.all,
    forgetTotals: counts.forgetTotals,
  };
}

export type ClientStore = ReturnType<typeof createClientStore>;

/** What is written with a client, and announced of it. */
interface Followers {
  search: ReturnType<typeof createSearchStore>;
  profiles: ReturnType<typeof createProfileStore>;
  forgetTotals: (workspaceId: string) => void;
}

function clientWrites(rows: Rows<ClientDocument>, { search, profiles, forgetTotals }: Followers) {
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

    /** Writes the next revision of a client. Throws StaleWrite when it is no longer the one that was read. */
    async replace(client: Client, session: Session): Promise<Client> {
      const [written] = await replaceAll([client], session);
      return written!;
    },

    replaceAll,

    /** Writes to a client, so that it cannot be changed at the same moment. Throws StaleWrite when it is no longer the one that was read. */
    async hold({ id, workspace_id, revision }: Client, session: Session): Promise<void> {
      const { matchedCount } = await rows
        .of(workspace_id)
        .updateOne({ _id: id, revision }, { $inc: { revision: 1 } }, { session });
      if (matchedCount === 0) throw new StaleWrite('the client');
    },

    async remove(client: Client, session: Session): Promise<void> {
      const { id, workspace_id: workspaceId, revision } = client;
      const { deletedCount } = await rows
        .of(workspaceId)
        .deleteOne({ _id: id, revision }, { session });
      if (deletedCount === 0) throw new StaleWrite('the client');
      await search.remove(workspaceId, id, session);
      await profiles.remove(workspaceId, id, session);
      onEnded(session, () => forgetTotals(workspaceId));
    },
  };
}
