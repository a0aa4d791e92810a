import type { JsonObject } from '@laurel/errors';
import {
  type CollectionIndexes,
  type Connection,
  decodeCursor,
  encodeCursor,
  type Session,
  StaleWrite,
} from '@laurel/mongo';
import type { Pass } from '../domain/pass';

const COLLECTION = 'passes';
const NEWEST = { date_created: -1, _id: -1 } as const;

export const passIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { workspace_id: 1, ...NEWEST }, name: 'newest' },
    { key: { workspace_id: 1, project_id: 1, ...NEWEST }, name: 'of_project' },
    { key: { workspace_id: 1, pass_template_id: 1, _id: 1 }, name: 'of_template' },
    { key: { workspace_id: 1, barcode_value: 1 }, name: 'barcode_unique', unique: true },
    {
      key: { workspace_id: 1, client_id: 1, pass_template_id: 1 },
      name: 'one_per_client',
      unique: true,
      partialFilterExpression: { client_id: { $exists: true } },
    },
  ],
};

/**
 * A pass of nobody lacks `client_id`, because the unique index covers only documents that have it. Overrides are kept
 * as text: their names may be anything, those of stored members may not.
 */
interface PassDocument extends Omit<Pass, 'id' | 'client_id' | 'pass_fields'> {
  _id: string;
  client_id?: string;
  pass_fields_json: string;
}

export interface PassFilter {
  projectId?: string | undefined;
  templateId?: string | undefined;
}
export interface PassPage {
  passes: Pass[];
  total: number;
  nextCursor: string | null;
}
export interface PassCounts {
  total: number;
  apple: number;
  google: number;
}

export type PassStore = ReturnType<typeof createPassStore>;

export function createPassStore(connection: Connection) {
  const passes = connection.collection<PassDocument>(COLLECTION);

  return {
    /** Fails as a duplicate key on `barcode_value` or `client_id` when one of them is taken. */
    async insert(pass: Pass, session: Session): Promise<void> {
      await passes.insertOne(toDocument(pass), { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Pass | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      const document = await passes.findOne(filter, session ? { session } : {});
      return document && toPass(document);
    },

    /** Whatever workspaces they belong to. */
    async locate(ids: readonly string[]): Promise<Pass[]> {
      return (await passes.find({ _id: { $in: [...ids] } }).toArray()).map(toPass);
    },

    async findByBarcode(workspaceId: string, barcodeValue: string): Promise<Pass | null> {
      const filter = { workspace_id: workspaceId, barcode_value: barcodeValue };
      const document = await passes.findOne(filter);
      return document && toPass(document);
    },

    /** Newest first. */
    async listOfClients(
      workspaceId: string,
      clientIds: readonly string[],
      session?: Session,
    ): Promise<Pass[]> {
      const filter = { workspace_id: workspaceId, client_id: { $in: [...clientIds] } };
      const rows = await passes
        .find(filter, session ? { session } : {})
        .sort(NEWEST)
        .toArray();
      return rows.map(toPass);
    },

    /** Newest first. */
    async list(
      workspaceId: string,
      filter: PassFilter,
      page: { limit: number; offset: number; cursor?: string | undefined },
    ): Promise<PassPage> {
      const matching = matchingOf(workspaceId, filter);
      const after = page.cursor === undefined ? {} : afterCursor(page.cursor);
      const [rows, total] = await Promise.all([
        passes
          .find({ ...matching, ...after })
          .sort(NEWEST)
          .skip(page.offset)
          .limit(page.limit)
          .toArray(),
        passes.countDocuments(matching),
      ]);
      const last = rows.at(-1);
      const isFull = rows.length === page.limit && last !== undefined;
      const nextCursor = isFull ? encodeCursor([last.date_created.getTime(), last._id]) : null;
      return { passes: rows.map(toPass), total, nextCursor };
    },

    /** How many there are, and on how many Apple and Google wallets. */
    async count(workspaceId: string, filter: PassFilter = {}): Promise<PassCounts> {
      const matching = matchingOf(workspaceId, filter);
      const [total, apple, google] = await Promise.all([
        passes.countDocuments(matching),
        passes.countDocuments({ ...matching, on_apple: true }),
        passes.countDocuments({ ...matching, on_google: true }),
      ]);
      return { total, apple, google };
    },

    async isAnyOn(workspaceId: string, filter: PassFilter, session: Session): Promise<boolean> {
      const options = { session, projection: { _id: 1 } };
      return (await passes.findOne(matchingOf(workspaceId, filter), options)) !== null;
    },

    /** Writes the next revision. Throws StaleWrite when it is no longer the one that was read. */
    async replace(pass: Pass, session: Session): Promise<void> {
      const { id, workspace_id, revision } = pass;
      const document = toDocument({ ...pass, revision: revision + 1 });
      const filter = { _id: id, workspace_id, revision };
      const { matchedCount } = await passes.replaceOne(filter, document, { session });
      if (matchedCount === 0) throw new StaleWrite('the pass');
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId };
      return (await passes.deleteOne(filter, { session })).deletedCount === 1;
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await passes.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function matchingOf(workspaceId: string, { projectId, templateId }: PassFilter) {
  return {
    workspace_id: workspaceId,
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(templateId === undefined ? {} : { pass_template_id: templateId }),
  };
}

type Position = [number, string];

function afterCursor(cursor: string) {
  const [time, id] = decodeCursor<Position>(
    cursor,
    (value): value is Position =>
      Array.isArray(value) && Number.isFinite(value[0]) && typeof value[1] === 'string',
  );
  const at = new Date(time);
  return { $or: [{ date_created: { $lt: at } }, { date_created: at, _id: { $lt: id } }] };
}

function toDocument({ id, client_id, pass_fields, ...columns }: Pass): PassDocument {
  return {
    _id: id,
    ...columns,
    ...(client_id === null ? {} : { client_id }),
    pass_fields_json: JSON.stringify(pass_fields),
  };
}

function toPass({ _id, client_id = undefined, pass_fields_json, ...columns }: PassDocument): Pass {
  const passFields = JSON.parse(pass_fields_json) as JsonObject;
  return { ...columns, id: _id, client_id: client_id ?? null, pass_fields: passFields };
}
