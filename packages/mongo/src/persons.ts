import type { Connection, mongo } from 'mongoose';
import type { Rows, TenantRows } from './rows';
import type { Session } from './unit-of-work';

/** A client that became part of another. */
export interface Merge {
  workspaceId: string;
  source: string;
  target: string;
  /** When that was; absent where it is carried out once more, for what was on its way. */
  at?: Date;
}

/** A client whose data is to go. */
export interface Erasure {
  workspaceId: string;
  clientId: string;
  ending: 'anonymized' | 'deleted';
}

/** What an answer that takes code works with. */
export interface Unit<Document extends object> {
  /** Those of the workspace, of every client. Throws in a collection that says no workspace. */
  readonly rows: TenantRows<Document>;
  connection: Connection;
  /** undefined where the effect is no transaction and may be done in parts and again. */
  session: Session | undefined;
}

type Stays = `stays: ${string}`;
/** Decided together with other collections; the check refuses a file that is not there. */
type ByHand = `by hand: use-cases/${string}.ts`;

type Merged<Document extends object> =
  | Stays
  | ByHand
  | ((unit: Unit<Document>, merge: Merge) => Promise<void>);

type Erased<Document extends object> =
  | Stays
  | ByHand
  | ((unit: Unit<Document>, erasure: Erasure) => Promise<void>);

type Exported = `withheld: ${string}` | ByHand;

/** Where a column names the client most answers are a word. */
interface ByColumn<Document extends object> {
  column: Extract<keyof Document, string> | readonly Extract<keyof Document, string>[];
  /** `moves`: the target's id takes the place of the source's. */
  merged: Merged<Document> | 'moves';
  /** `set`: columns that may say who it was are emptied. `goes`: the rows are removed. */
  anonymized: Erased<Document> | 'goes' | { set: Readonly<Partial<Document>> };
  deleted: ByColumn<Document>['anonymized'] | 'as anonymized';
  /** `shown`: in the service's export (`personExport`). */
  exported: Exported | 'shown';
}

/** Where none does, how a row is a client's, and what code finds it. */
interface Indirectly<Document extends object> {
  column: `none: ${string}`;
  merged: Merged<Document>;
  anonymized: Erased<Document>;
  deleted: Erased<Document> | 'as anonymized';
  exported: Exported;
}

/** What becomes of the rows of a client. */
export type ForPersons<Document extends object> = ByColumn<Document> | Indirectly<Document>;

/** What a collection does when a client departs. */
export interface Departure {
  mergePerson(connection: Connection, merge: Merge, session?: Session): Promise<void>;
  erasePerson(connection: Connection, erasure: Erasure, session?: Session): Promise<void>;
  /** The columns by which it finds the rows of a client, where it does something with them. */
  personColumns: readonly string[];
  /** Whether its rows are to be in the export of a person. */
  isShown: boolean;
}

/** Reads what a collection holds of a client, oldest first. */
export interface Persons<Document extends object> {
  collection: string;
  ofPerson(connection: Connection, workspaceId: string, clientId: string): Promise<Document[]>;
}

const EXPORT_BATCH = 5_000;

/** Makes of a collection's answers what carries them out. */
export function departuresOf<Document extends { _id: unknown }>(
  open: (connection: Connection) => Rows<Document>,
  person: 'nobody' | ForPersons<Document>,
): Departure & Pick<Persons<Document>, 'ofPerson'> {
  if (person === 'nobody') return ofNobody();
  const columns = [person.column].flat().filter((column) => !column.startsWith('none:'));
  const filters = (clientId: string) =>
    columns.map((column) => ({ [column]: clientId }) as mongo.Filter<Document>);
  const unitOf = (connection: Connection, workspaceId: string, session: Session | undefined) => ({
    get rows() {
      return open(connection).of(workspaceId);
    },
    connection,
    session,
  });

  return {
    personColumns: isAsked(person) ? columns : [],
    isShown: person.exported === 'shown',

    async mergePerson(connection, merge, session) {
      const unit = unitOf(connection, merge.workspaceId, session);
      const { merged } = person;
      if (typeof merged === 'function') return merged(unit, merge);
      if (merged !== 'moves') return;
      for (const column of columns) {
        const [from, to] = [merge.source, merge.target].map((id) => ({ [column]: id }));
        await unit.rows.updateMany(from as object, { $set: to } as object, { session });
      }
    },

    async erasePerson(connection, erasure, session) {
      const unit = unitOf(connection, erasure.workspaceId, session);
      const { anonymized, deleted } = person;
      const isDeleted = erasure.ending === 'deleted' && deleted !== 'as anonymized';
      const answer = isDeleted ? deleted : anonymized;
      if (typeof answer === 'function') return answer(unit, erasure);
      for (const filter of filters(erasure.clientId)) {
        if (answer === 'goes') await unit.rows.deleteMany(filter, { session });
        if (typeof answer === 'object')
          await unit.rows.updateMany(filter, { $set: answer.set } as object, { session });
      }
    },

    async ofPerson(connection, workspaceId, clientId) {
      if (columns.length === 0) return [];
      const [only, ...others] = filters(clientId);
      const filter = others.length === 0 ? only! : { $or: filters(clientId) };
      const rows = open(connection)
        .of(workspaceId)
        .find(filter as object, { batchSize: EXPORT_BATCH });
      const found = (await rows.toArray()) as unknown as Document[];
      return found.sort((one, other) => (String(one._id) < String(other._id) ? -1 : 1));
    },
  };
}

/** Whether an answer is one that looks for rows: a word that does something, or code. */
const isAsked = <Document extends object>(person: ForPersons<Document>): boolean =>
  [person.merged, person.anonymized, person.deleted, person.exported].some(
    (answer) => typeof answer !== 'string' || ['moves', 'goes', 'shown'].includes(answer),
  );

const ofNobody = <Document extends object>(): Departure & Pick<Persons<Document>, 'ofPerson'> => ({
  personColumns: [],
  isShown: false,
  mergePerson: async () => undefined,
  erasePerson: async () => undefined,
  ofPerson: async () => [],
});
