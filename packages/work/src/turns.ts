import type { Connection, IndexSpec } from '@laurel/mongo';
import { clockOwner, ofThisClock, whoseClock } from './passes';

/** What may be taken up now, so that none of those who take turns gets more than its share. */
export interface Room {
  /** Pieces that may be begun. */
  count: number;
  /** Pieces of one taker of turns that may be in hand at once. */
  share: number;
  /** Pieces in hand, by whose they are. */
  inHand: ReadonlyMap<string, number>;
}

/** Which rows of a collection are due, and who takes turns. */
export interface DueSpec {
  /** The column that says from when on a row is due; while somebody is at it, when the claim ends. `due_at` unless a domain has its own. */
  column?: string;
  /** The column of those who take turns; `workspace_id` unless it says otherwise. */
  by?: string;
  /** What else makes a row due: the filter of its partial index. */
  where?: Readonly<Record<string, unknown>>;
  /** A row without the column is due, too, where it may lack it; else it never is. */
  absentIsDue?: true;
  /** An index begins with the column; else there is but `dueIndex`. */
  leads?: true;
  /** The column that said so in rows of earlier versions; see `adopt`. */
  formerly?: string;
}

export interface DueDocument {
  _id: string;
  [column: string]: unknown;
}

export const columnOf = ({ column = 'due_at' }: DueSpec): string => column;
export const turnColumnOf = ({ by = 'workspace_id' }: DueSpec): string => by;

/** The index that claims walk along: from one tenant with something due to the next, whatever lies between. */
export function dueIndex(spec: DueSpec = {}, name = 'due_in_turns'): IndexSpec {
  const column = columnOf(spec);
  const filter = spec.where ?? (spec.absentIsDue ? null : { [column]: { $exists: true } });
  return {
    key: { [turnColumnOf(spec)]: 1, [column]: 1, _id: 1 },
    name,
    ...(filter ? { partialFilterExpression: filter } : {}),
  };
}

/** The condition of what is due by a time, of those whose clock that is. */
export function dueBy(spec: DueSpec, now: Date): Record<string, unknown> {
  const by = spec.absentIsDue ? { $not: { $gt: now } } : { $exists: true, $lte: now };
  return { ...spec.where, [columnOf(spec)]: by, ...ofThisClock(turnColumnOf(spec)) };
}

/** The same where the answer is to come from the index alone: MongoDB walks no index whose first column is not asked for. */
export function dueInIndex(spec: DueSpec, until: Date): Record<string, unknown> {
  const due = dueBy(spec, until);
  return spec.leads ? due : { ...due, [turnColumnOf(spec)]: { $gt: '', ...whoseClock() } };
}

/** A row that is due: whose turn it is, and since when. */
export interface DueRow {
  id: string;
  turn: string;
  dueAt: Date | null;
}

export type Turns = (
  now: Date,
  room: Room,
  also?: Readonly<Record<string, unknown>>,
) => Promise<DueRow[]>;

/**
 * Finds due rows so that tenants take turns (docs/adr/0012). Each time it goes on behind the tenant that it ended with
 * the last time; a tenant that has its share in hand is passed over, however much of its is due. It reads no more rows
 * than there is room for, and jumps over the rest of a tenant's: its cost depends on how many tenants have something
 * due, never on how much. `also` narrows what counts as due at this moment.
 */
export function createTurns(connection: Connection, collection: string, spec: DueSpec): Turns {
  const [due, by] = [columnOf(spec), turnColumnOf(spec)];
  const rows = connection.collection<DueDocument>(collection);
  let last = '';

  return async (now, { count, share, inHand }, also = {}) => {
    const full = new Set([...inHand].filter(([, held]) => held >= share).map(([turn]) => turn));
    const taken = new Map(inHand);
    const chosen: DueRow[] = [];
    // A sandbox is looked at for itself: whose turn it is among the others does not change by that.
    const isAlone = clockOwner() !== null;
    const begin = isAlone ? '' : last;
    const { $nin: elsewhere = [], ...here } = whoseClock();
    /** Goes through the turns of a range; what is left of the tenant that a page ends with is jumped over. */
    const walk = async (from: string, to: string | null): Promise<void> => {
      let after = from;
      while (chosen.length < count) {
        const range = { $gt: after, ...(to === null ? {} : { $lte: to }) };
        const passed = [...full, ...elsewhere];
        const turn = { ...range, ...here, ...(passed.length === 0 ? {} : { $nin: passed }) };
        const limit = count - chosen.length;
        const page = await rows
          .find({ ...dueBy(spec, now), ...also, [by]: turn }, { projection: { [by]: 1, [due]: 1 } })
          .sort({ [by]: 1, [due]: 1, _id: 1 })
          .limit(limit)
          .toArray();
        for (const row of page) {
          const whose = String(row[by]);
          const held = taken.get(whose) ?? 0;
          if (held >= share) continue;
          taken.set(whose, held + 1);
          chosen.push({ id: row._id, turn: whose, dueAt: (row[due] as Date | undefined) ?? null });
          if (!isAlone) last = whose;
        }
        if (page.length < limit) return;
        after = String(page.at(-1)![by]);
      }
    };
    await walk(begin, null);
    if (begin !== '' && chosen.length < count) await walk('', begin);
    if (chosen.length === 0 && !isAlone) last = '';
    return chosen;
  };
}
