import { createSharedLookups } from '@laurel/lifecycle';
import type { Rows, Session } from '@laurel/mongo';
import { emailKeyOf, phoneKey } from '@laurel/values/contact';
import type { Client } from '../domain/client';
import { type ClientDocument, fromDocument } from './mapping';

/** Clients by what names them: an id, an e-mail address, a number. */
export function createClientLookups(rows: Rows<ClientDocument>) {
  const found = (document: ClientDocument | null) => (document ? fromDocument(document) : null);
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

  return {
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
      const key = emailKeyOf(email);
      if (key === null) return null;
      return found(await rows.of(workspaceId).findOne({ email_key: key }));
    },

    async findByEmails(
      workspaceId: string,
      emails: readonly string[],
      session?: Session,
    ): Promise<Client[]> {
      const keys = emails.map(emailKeyOf).filter((key) => key !== null);
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
  };
}
