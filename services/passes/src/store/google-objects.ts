import { newId } from '@laurel/lifecycle';
import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import type { GoogleKind } from '../domain/wallet/google-pass';

export const googleObjects = collection<GoogleObjectDocument>('google_objects', {
  tenant: 'workspace_id',
  person: {
    column: 'none: its pass names the client',
    merged: 'stays: goes where its pass goes',
    anonymized: 'stays: what Google has of the pass becomes the empty card by it',
    deleted: 'as anonymized',
    exported: 'withheld: the pass says what it shows',
  },
  growth: {
    per: 'pass',
    end: 'stays: goes with its pass',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'of_workspace' }],
});

interface GoogleObjectDocument {
  _id: string;
  workspace_id: string;
  object_id: string;
  kind: GoogleKind;
  digest: string;
  notification: string | null;
  notification_count?: number;
  /** Another one after each write; absent on rows from before it was kept. */
  version?: string;
  /** How often Google said who has the card, and until when the latest message of them was good; absent until it did. */
  sayings?: number;
  last_message?: Date;
}

/** What Google has of a pass. */
export interface GoogleObject {
  workspaceId: string;
  passId: string;
  objectId: string;
  kind: GoogleKind;
  /** Of what Google was sent last. */
  digest: string;
  /** The text that was shown last. */
  notification: string | null;
  /** How many texts had been pushed then. */
  notificationCount: number;
}

/** As it is kept; null on rows from before that had a version, and where Google did not say yet who has the card. */
export type KeptObject = GoogleObject & { version: string | null; sayings: number | null };

/** The digest of nothing that was sent. */
export const UNSENT = '';

/** Which passes Google has, and what it knows of them; only those are sent changes. */
export function createGoogleObjectStore(connection: Connection) {
  const rows = googleObjects.open(connection);

  return {
    ...createSayings(rows),

    /** Google was given the pass; which text it was last to show stays, where it had the pass before. */
    async put(object: GoogleObject): Promise<void> {
      const { passId: _id, workspaceId } = object;
      const { notification, notification_count, ...given } = columnsOf(object);
      const first = { $setOnInsert: { notification, notification_count } };
      await rows.of(workspaceId).updateOne({ _id }, { $set: given, ...first }, { upsert: true });
    },

    /**
     * Notes what was sent in place of what was known. Where somebody else sent something meanwhile it is not sure which of both
     * Google has: then the next push sends what the pass shows by then.
     */
    async putAfter(known: KeptObject, object: GoogleObject): Promise<void> {
      const { passId: _id, workspaceId } = object;
      const own = rows.of(workspaceId);
      const columns = columnsOf(object);
      // Null finds a row that has none.
      const before = { _id, version: known.version as string };
      const { matchedCount } = await own.updateOne(before, { $set: columns });
      if (matchedCount > 0) return;
      const { notification, notification_count, version } = columns;
      await own.updateOne({ _id }, { $set: { digest: UNSENT, version } });
      // The text of a later push stays noted: it would be shown twice.
      const isEarlier = [{ $lt: notification_count }, { $exists: false }];
      await own.updateOne(
        { _id, $or: isEarlier.map((count) => ({ notification_count: count })) },
        { $set: { notification, notification_count } },
      );
    },

    async find(workspaceId: string, passId: string): Promise<KeptObject | null> {
      const row = await rows.of(workspaceId).findOne({ _id: passId });
      return row && toObject(row);
    },

    /** Those of some passes that Google has, by the ids of the passes. */
    async findMany(
      workspaceId: string,
      passIds: readonly string[],
    ): Promise<Map<string, KeptObject>> {
      const found = rows.of(workspaceId).find({ _id: { $in: [...passIds] } });
      return new Map((await found.toArray()).map((row) => [row._id, toObject(row)]));
    },

    async remove(workspaceId: string, passId: string): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: passId });
    },
  };
}

/** What Google says of who has a card: in messages, which may come late and again, and with its answers. */
function createSayings(rows: Rows<GoogleObjectDocument>) {
  return {
    /**
     * Notes a message of Google in the transaction that heeds it. False where a later one was heeded: the later it was sent, the
     * longer it is good.
     */
    async noteMessage(
      workspaceId: string,
      { passId: _id, expiresAt }: { passId: string; expiresAt: Date },
      session: Session,
    ): Promise<boolean> {
      const own = rows.of(workspaceId);
      const isLatest = [{ $exists: false }, { $lte: expiresAt }];
      const { matchedCount } = await own.updateOne(
        { _id, $or: isLatest.map((last_message) => ({ last_message })) },
        { $set: { last_message: expiresAt }, $inc: { sayings: 1 } },
        { session },
      );
      return matchedCount === 1 || !(await own.has({ _id }, { session }));
    },

    /** As `noteMessage`, of an answer: false where Google said anything since the object was read as `known`, before it was asked. */
    async noteAnswer(
      { workspaceId, passId: _id, sayings }: KeptObject,
      session: Session,
    ): Promise<boolean> {
      // Null finds a row that has none.
      const same = { _id, sayings: sayings as number };
      const change = { $inc: { sayings: 1 } };
      const { matchedCount } = await rows.of(workspaceId).updateOne(same, change, { session });
      return matchedCount === 1;
    },
  };
}

function columnsOf({ kind, objectId, digest, notification, notificationCount }: GoogleObject) {
  const columns = { kind, object_id: objectId, digest, version: newId() };
  return { ...columns, notification, notification_count: notificationCount };
}

function toObject({
  _id: passId,
  workspace_id: workspaceId,
  object_id: objectId,
  notification_count: notificationCount = 0,
  last_message: _last,
  ...columns
}: GoogleObjectDocument): KeptObject {
  const kept = { version: null, sayings: null, ...columns };
  return { workspaceId, passId, objectId, ...kept, notificationCount };
}
