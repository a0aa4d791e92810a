import type { Connection, mongo } from 'mongoose';
import { deleteInPieces } from './delete-in-pieces';
import type { Growth } from './growth';
import type { CollectionIndexes, IndexSpec } from './indexes';
import { type Departure, departuresOf, type ForPersons, type Persons } from './persons';
import { type Rows, RowsWithin } from './rows';

/** What a collection is, apart from what stands in its rows. */
interface Answers<Document extends object> {
  indexes: readonly IndexSpec[];
  /** The column that says whose workspace a row is; where there is none, why. */
  tenant: Extract<keyof Document, 'workspace_id' | '_id'> | `none: ${string}`;
  /** What becomes of a row when a client does something else than live on; `nobody` where no client is in it. */
  person: 'nobody' | ForPersons<Document>;
  /** What its rows come of, when they go, and by what they could be divided. */
  growth?: Growth;
}

/** A collection as the rest of the house knows it: without its rows' shape. */
export interface Declared extends CollectionIndexes, Departure {
  /** Removes what it holds of a workspace, a piece at a time. */
  removeWorkspace(connection: Connection, workspaceId: string): Promise<void>;
}

export interface Collection<Document extends object> extends Declared, Persons<Document> {
  open(connection: Connection): Rows<Document>;
}

/**
 * Declares a collection: its indexes, whose its rows are, and what becomes of them when a workspace goes and when a client
 * is merged, anonymized, deleted or asks what is held (docs/adr/0030). There is no other way to open one.
 */
export function collection<Document extends { _id: unknown }>(
  name: string,
  { indexes, tenant, person, growth }: Answers<Document>,
): Collection<Document> {
  const isShared = tenant.startsWith('none:');
  const own = (workspaceId: string) => {
    if (isShared) throw new Error(`${name} belongs to no workspace (${tenant})`);
    return { [tenant]: workspaceId };
  };
  const open = (connection: Connection): Rows<Document> => {
    const rows = connection.collection<Document>(name) as unknown as mongo.Collection<Document>;
    return {
      of: (workspaceId) => new RowsWithin(rows, own(workspaceId)),
      insertOne: rows.insertOne.bind(rows),
      insertMany: rows.insertMany.bind(rows),
      bulkWrite: rows.bulkWrite.bind(rows),
      ofEverybody: rows,
    };
  };
  return {
    collection: name,
    indexes,
    ...(growth === undefined ? {} : { growth }),
    open,
    ...departuresOf(open, person),
    async removeWorkspace(connection, workspaceId) {
      if (!isShared) await deleteInPieces(connection, name, own(workspaceId));
    },
  };
}
