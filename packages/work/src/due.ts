import { newId } from '@laurel/lifecycle';
import type { Connection, Session } from '@laurel/mongo';
import {
  columnOf,
  createTurns,
  type DueDocument,
  type DueSpec,
  dueBy,
  dueInIndex,
  type Room,
  turnColumnOf,
} from './turns';
import { type Wakes, wakesOf } from './wakes';

/** How a row is named that is in somebody's hands: which one, and by which claim. */
interface Held {
  id: string;
  lease: string;
}

/** A row in the hands of one worker. */
export interface Claimed<Row> extends Held {
  row: Row;
  /** Whose turn it is: as a rule its workspace. */
  turn: string;
  /** Since when it was due; null where that was not asked. */
  dueAt: Date | null;
}

/** What changes in a row beside its `due_at` and `lease`. */
export interface Change {
  $set?: Readonly<Record<string, unknown>>;
  $inc?: Readonly<Record<string, number>>;
  $unset?: Readonly<Record<string, ''>>;
}

/** What a claim is to be. */
interface Wanted {
  now: Date;
  /** How long a claim lasts that is not renewed. */
  leaseMs: number;
  /** What else it changes in the rows that it wins. */
  change?: Change;
  /** Narrows what counts as due for this claim. */
  also?: Readonly<Record<string, unknown>>;
}

/** When something of a kind is due next. */
export interface DueTimes extends Wakes {
  /** The earliest due time up to `until`; null when nothing is due by then. One question, however many rows there are. */
  next(until: Date): Promise<Date | null>;
}

/** What rows of an earlier version become. */
interface FormerRows {
  /** Whether the store knows the index of an earlier version, and so may hold rows of it. */
  hasFormerRows(): Promise<boolean>;
  /** Finds rows that an earlier version wrote, which are due by its column, and makes them due by this one. */
  adopt(now: Date): Promise<number>;
}

/**
 * Rows that are to be worked on (docs/adr/0018). Each has two columns: `due_at`, from when on it may be taken up, absent
 * when nothing is to be done; and `lease`, the claim that it is in the hands of. A claim moves `due_at` to its own end,
 * so that one condition says both that a row is due and that no worker is at it, and what a dead worker held is due again.
 */
export interface Due<Row> extends DueTimes, FormerRows {
  /** Takes rows that are due and fit into the room, so that no other worker has them; tenants take turns. */
  claim(room: Room, wanted: Wanted): Promise<Claimed<Row>[]>;
  /** Takes one row, if it is due. */
  claimOne(id: string, wanted: Wanted): Promise<Claimed<Row> | null>;
  /**
   * Whether a row of a workspace is in somebody's hands. No claim of now reaches beyond `reach`: what is due later waits,
   * and what is not due is over, whatever a store that ended it by itself has left of the claim.
   */
  isHeld(workspaceId: string, reach: Date): Promise<boolean>;
  /** Keeps a claim until a time; false when it was lost, or the row is finished. */
  renew(held: Held, until: Date): Promise<boolean>;
  /** As `renew`, for rows that one claim won together; which of them it still holds stays unsaid. */
  renewAll(held: readonly Held[], until: Date): Promise<void>;
  /** Nothing is left to do; false when the claim was lost, and nothing was changed then. */
  finish(held: Held, change?: Change, session?: Session): Promise<boolean>;
  /** Gives a row back, to be taken up at a time, and wakes for it; false when the claim was lost. */
  postpone(held: Held, at: Date, change?: Change): Promise<boolean>;
}

/** A kind of due rows: where they are, when they are due, and what they are to their workers. */
interface Kind<Document, Row> extends DueSpec {
  /** What else a claim changes. */
  onClaim?: Change;
  /** A column that may be very long: it is not read with a claim. */
  unread?: Extract<keyof Document, string>;
  /** Makes the row of a document. */
  read(document: Document & { lease: string }): Row;
}

/** The due rows of a collection, as one who works them off or writes them sees them. */
export function createDue<Document extends { _id: string }, Row>(
  connection: Connection,
  collection: string,
  kind: Kind<Document, Row>,
): Due<Row> {
  const wakes = wakesOf(connection, `${collection}.${columnOf(kind)}`);
  return {
    ...wakes,
    ...nextOf(connection, collection, kind),
    ...claimsOf(connection, collection, kind),
    ...endsOf(connection, collection, { ...kind, wakes }),
    ...formerRowsOf(connection, collection, kind),
  };
}

/** Due times that are no claim: rows that a guarded write takes on, such as what a clock decides. */
export function createDueTimes(
  connection: Connection,
  collection: string,
  spec: DueSpec,
): DueTimes {
  const wakes = wakesOf(connection, `${collection}.${columnOf(spec)}`);
  return { ...wakes, ...nextOf(connection, collection, spec) };
}

function nextOf(connection: Connection, collection: string, spec: DueSpec): Pick<DueTimes, 'next'> {
  const due = columnOf(spec);
  const rows = connection.collection<DueDocument>(collection);
  return {
    async next(until) {
      const projection = { [due]: 1 };
      const found = await rows.findOne(dueInIndex(spec, until), { sort: { [due]: 1 }, projection });
      return found && ((found[due] as Date | undefined) ?? new Date(0));
    },
  };
}

function claimsOf<Document extends { _id: string }, Row>(
  connection: Connection,
  collection: string,
  kind: Kind<Document, Row>,
): Pick<Due<Row>, 'claim' | 'claimOne' | 'isHeld'> {
  const due = columnOf(kind);
  const rows = connection.collection<DueDocument>(collection);
  const turns = createTurns(connection, collection, kind);
  const read = kind.unread === undefined ? {} : { projection: { [kind.unread]: 0 } };
  const claiming = ({ now, leaseMs, change = kind.onClaim }: Wanted, lease: string): object => {
    const until = new Date(now.getTime() + leaseMs);
    return { ...change, $set: { ...change?.$set, [due]: until, lease } };
  };
  const claimed = (document: DueDocument, lease: string, dueAt: Date | null): Claimed<Row> => ({
    row: kind.read(document as unknown as Document & { lease: string }),
    id: document._id,
    lease,
    turn: String(document[turnColumnOf(kind)]),
    dueAt,
  });

  return {
    async claim(room, wanted) {
      const chosen = await turns(wanted.now, room, wanted.also);
      if (chosen.length === 0) return [];
      const lease = newId();
      const _id = { $in: chosen.map(({ id }) => id) };
      const isDue = dueBy(kind, wanted.now);
      const won = await rows.updateMany({ _id, ...isDue }, claiming(wanted, lease));
      if (won.modifiedCount === 0) return [];
      const found = await rows.find({ _id, lease }, read).toArray();
      const byId = new Map(found.map((document) => [document._id, document]));
      return chosen.flatMap(({ id, dueAt }) => {
        const document = byId.get(id);
        return document ? [claimed(document, lease, dueAt)] : [];
      });
    },

    async claimOne(id, wanted) {
      const lease = newId();
      const document = await rows.findOneAndUpdate(
        { _id: id, ...dueBy(kind, wanted.now) },
        claiming(wanted, lease),
        { returnDocument: 'after', ...read },
      );
      return document && claimed(document as DueDocument, lease, null);
    },

    async isHeld(workspaceId, reach) {
      const claimed = { lease: { $type: 'string' }, [due]: { $exists: true, $lte: reach } };
      const held = { ...kind.where, ...claimed, [turnColumnOf(kind)]: workspaceId };
      return (await rows.findOne(held, { projection: { _id: 1 } })) !== null;
    },
  };
}

function endsOf(
  connection: Connection,
  collection: string,
  spec: DueSpec & { wakes: Wakes },
): Pick<Due<unknown>, 'renew' | 'renewAll' | 'finish' | 'postpone'> {
  const due = columnOf(spec);
  const rows = connection.collection<DueDocument>(collection);
  const mine = ({ id, lease }: Held) => ({ _id: id, lease });
  // What was finished meanwhile must not become due again.
  const open = { ...spec.where, ...(spec.absentIsDue ? {} : { [due]: { $exists: true } }) };
  return {
    async renew(held, until) {
      const change = { $set: { [due]: until } };
      return (await rows.updateOne({ ...open, ...mine(held) }, change)).matchedCount === 1;
    },

    async renewAll(held, until) {
      const _id = { $in: held.map(({ id }) => id) };
      const lease = { $in: [...new Set(held.map((one) => one.lease))] };
      await rows.updateMany({ ...open, _id, lease }, { $set: { [due]: until } });
    },

    async finish(held, change = {}, session) {
      const over: object = { ...change, $unset: { ...change.$unset, [due]: '', lease: '' } };
      const options = session ? { session } : {};
      return (await rows.updateOne(mine(held), over, options)).matchedCount === 1;
    },

    async postpone(held, at, change = {}) {
      const later: object = {
        ...change,
        $set: { ...change.$set, [due]: at },
        $unset: { ...change.$unset, lease: '' },
      };
      const { matchedCount } = await rows.updateOne(mine(held), later);
      spec.wakes.wake(undefined, at);
      return matchedCount === 1;
    },
  };
}

function formerRowsOf(connection: Connection, collection: string, spec: DueSpec): FormerRows {
  const { formerly, where } = spec;
  const rows = connection.collection<DueDocument>(collection);
  return {
    async hasFormerRows() {
      if (formerly === undefined) return false;
      const indexes: { key: object }[] = await rows.listIndexes().toArray();
      return indexes.some(({ key }) => formerly in key);
    },

    async adopt(now) {
      if (formerly === undefined) return 0;
      const old = { ...where, [formerly]: { $exists: true, $lte: now } };
      const rename: object = { $rename: { [formerly]: columnOf(spec) } };
      return (await rows.updateMany(old, rename)).modifiedCount;
    },
  };
}
