import type { Connection, mongo } from 'mongoose';
import { type Cloned, type ClonedOfClients, type Cloning, cloningOf } from './cloning';
import { deleteInPieces } from './delete-in-pieces';
import type { Growth } from './growth';
import type { CollectionIndexes, IndexSpec } from './indexes';
import { type Departure, departuresOf, type ForPersons, type Persons } from './persons';
import { type Rows, RowsWithin } from './rows';

/** What a collection is, apart from what stands in its rows. */
type Answers<Document extends object> = Shape & (Owned<Document> | OfNoWorkspace<Document>);

interface Shape {
  indexes: readonly IndexSpec[];
  /** Names of indexes that it had in an earlier release. */
  retired?: readonly string[];
  /** What its rows come of, when they go, and by what they could be divided. */
  growth?: Growth;
}

interface OfNoWorkspace<Document extends object> {
  /** Why no column says whose workspace a row is. */
  tenant: `none: ${string}`;
  /** What becomes of a row when a client does something else than live on; `nobody` where no client is in it. */
  person: NobodyIn<Document> | ForPersons<Document>;
  clone?: never;
}

/** What has a client in a column of this name says what becomes of them. */
type NobodyIn<Document extends object> = 'client_id' extends keyof Document ? never : 'nobody';

type Owned<Document extends object> = {
  /** The column that says whose workspace a row is. */
  tenant: Extract<keyof Document, 'workspace_id' | '_id'>;
} & (
  | {
      person: NobodyIn<Document>;
      /** What a clone of the workspace gets of it. */
      clone: Cloned<Document>;
    }
  | {
      person: ForPersons<Document>;
      /** What is of clients stays where they are, unless it says otherwise. */
      clone?: ClonedOfClients<Document>;
    }
);

/** A collection as the rest of the house knows it: without its rows' shape. */
export interface Declared extends CollectionIndexes, Departure, Cloning {
  /** Removes what it holds of a workspace, a piece at a time. */
  removeWorkspace(connection: Connection, workspaceId: string): Promise<void>;
}

export interface Collection<Document extends object> extends Declared, Persons<Document> {
  open(connection: Connection): Rows<Document>;
}

/**
 * Declares a collection: its indexes, whose its rows are, and what becomes of them when a workspace goes or is cloned
 * (docs/adr/0042) and when a client is merged, anonymized, deleted or asks what is held (docs/adr/0030). There is no other way to open one.
 */
export function collection<Document extends { _id: unknown }>(
  name: string,
  answers: Answers<Document>,
): Collection<Document> {
  const { indexes, retired, tenant, person, growth } = answers;
  const { clone: cloned = 'left: it is of clients' } = answers;
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
    ...(retired === undefined ? {} : { retired }),
    ...(growth === undefined ? {} : { growth }),
    open,
    ...departuresOf(open, person),
    ...cloningOf({ name, open, cloned }),
    async removeWorkspace(connection, workspaceId) {
      if (!isShared) await deleteInPieces(connection, name, own(workspaceId));
    },
  };
}
