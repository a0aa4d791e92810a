import { type Connection, type Rows, type Session, StaleWrite } from '@laurel/mongo';
import { createDueTimes, createTurns, type Room } from '@laurel/work';
import type { Pass } from '../domain/pass/pass';
import { createPassBatches } from './pass-batches';
import { type PassDocument, toDocument, toPass } from './pass-document';
import { createPassLists } from './pass-lists';
import { EXPIRED, passes } from './pass-rows';
import { createPassesOfClients } from './passes-of-clients';
import { createPassesOnTemplates, createTemplateCounts } from './passes-on-templates';

export function createPassStore(connection: Connection) {
  const rows = passes.open(connection);
  return {
    ...createSinglePasses(rows),
    ...createPassBatches(rows),
    ...createPassLists(rows),
    ...createPassesOfClients(rows),
    ...createPassesOnTemplates(rows),
    ...createTemplateCounts(rows),
    ...createExpiries(connection, rows),
  };
}

export type PassStore = ReturnType<typeof createPassStore>;

function createSinglePasses(rows: Rows<PassDocument>) {
  const found = (document: PassDocument | null) => document && toPass(document);

  return {
    /** Fails as a duplicate key on `barcode_value` or `client_id` when one of them is taken. */
    async insert(pass: Pass, session: Session): Promise<void> {
      await rows.insertOne(toDocument(pass), { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Pass | null> {
      return found(await rows.of(workspaceId).findOne({ _id: id }, { session }));
    },

    async findByBarcode(
      workspaceId: string,
      barcodeValue: string,
      session?: Session,
    ): Promise<Pass | null> {
      return found(
        await rows.of(workspaceId).findOne({ barcode_value: barcodeValue }, { session }),
      );
    },

    /** Writes the next revision. Throws StaleWrite when it is no longer the one that was read. */
    async replace(pass: Pass, session: Session): Promise<void> {
      const { id, workspace_id, revision } = pass;
      const document = toDocument({ ...pass, revision: revision + 1 });
      const own = rows.of(workspace_id);
      const { matchedCount } = await own.replaceOne({ _id: id, revision }, document, { session });
      if (matchedCount === 0) throw new StaleWrite('the pass');
    },

    /** It is on no wallet any more; nothing happens where it was on none. */
    async takeOffWallets(workspaceId: string, id: string, session: Session): Promise<void> {
      const isOnOne = { $or: [{ on_apple: true }, { on_google: true }] };
      const change = { $set: { on_apple: false, on_google: false }, $inc: { revision: 1 } };
      await rows.of(workspaceId).updateOne({ _id: id, ...isOnOne }, change, { session });
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      return (await rows.of(workspaceId).deleteOne({ _id: id }, { session })).deletedCount === 1;
    },
  };
}

/** Temporary templates that end. */
function createExpiries(connection: Connection, rows: Rows<PassDocument>) {
  const inTurns = createTurns(connection, passes.collection, EXPIRED);

  return {
    /** When temporary templates end. */
    expiries: createDueTimes(connection, passes.collection, EXPIRED),

    /** Passes whose temporary template has ended; workspaces take turns, the longest overdue of each first. */
    async listExpired(now: Date, room: Room): Promise<Pick<Pass, 'id' | 'workspace_id'>[]> {
      const ids = (await inTurns(now, room)).map(({ id }) => id);
      const options = { projection: { workspace_id: 1 } };
      const found = await rows.ofEverybody.find({ _id: { $in: ids } }, options).toArray();
      return found.map(({ _id, workspace_id }) => ({ id: _id, workspace_id }));
    },
  };
}
