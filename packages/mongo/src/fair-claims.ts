import { newId, type Room } from '@laurel/lifecycle';
import type { Connection } from 'mongoose';
import type { IndexSpec } from './indexes';

/** Which rows of a collection are due, and who takes turns. */
export interface FairDue {
  /** The column that says from when on a row is due; also the end of a claim. */
  due: string;
  /** A row without that column is due, too, where it may lack it; else it never is. */
  absentIsDue?: true;
  /** The column of those who take turns. */
  by?: string;
  /** What else makes a row due: the filter of its partial index. */
  where?: Readonly<Record<string, unknown>>;
}

interface DueRow {
  _id: string;
  [column: string]: unknown;
}

/** How a claim changes the rows that it wins, besides their `lease` and the column that says when they are due. */
export interface ClaimChange {
  now: Date;
  until: Date;
  set?: Readonly<Record<string, unknown>>;
  inc?: Readonly<Record<string, number>>;
}

const BY_DEFAULT = 'workspace_id';

/** The index that fair claims walk along: from one tenant with something due to the next, whatever lies between. */
export function dueIndex({ due, by = BY_DEFAULT, where, absentIsDue }: FairDue): IndexSpec {
  const filter = where ?? (absentIsDue ? null : { [due]: { $exists: true } });
  return {
    key: { [by]: 1, [due]: 1, _id: 1 },
    name: 'due_in_turns',
    ...(filter ? { partialFilterExpression: filter } : {}),
  };
}

const dueBy = ({ due, where = {}, absentIsDue }: FairDue, now: Date) => ({
  ...where,
  [due]: absentIsDue ? { $not: { $gt: now } } : { $exists: true, $lte: now },
});

/**
 * Finds due rows so that tenants take turns (docs/adr/0012), and names them. Each time it goes on behind the tenant that
 * it ended with the last time; a tenant that has its share in hand is passed over, however much of its is due. It
 * reads no more rows than there is room for, and jumps over the rest of a tenant's: its cost depends on how many
 * tenants have something due, never on how much. `also` narrows what counts as due at this moment.
 */
export function createFairTurns(
  connection: Connection,
  collection: string,
  fair: FairDue,
): (now: Date, room: Room, also?: Readonly<Record<string, unknown>>) => Promise<string[]> {
  const { due, by = BY_DEFAULT } = fair;
  const rows = connection.collection<DueRow>(collection);
  let last = '';

  return async (now, { count, share, inHand }, also = {}) => {
    const full = new Set([...inHand].filter(([, held]) => held >= share).map(([turn]) => turn));
    const taken = new Map(inHand);
    const chosen: string[] = [];
    const begin = last;
    /** Goes through the turns of a range; what is left of the tenant that a page ends with is jumped over. */
    const walk = async (from: string, to: string | null): Promise<void> => {
      let after = from;
      while (chosen.length < count) {
        const range = { $gt: after, ...(to === null ? {} : { $lte: to }) };
        const turn = { ...range, ...(full.size === 0 ? {} : { $nin: [...full] }) };
        const limit = count - chosen.length;
        const page = await rows
          .find({ ...dueBy(fair, now), ...also, [by]: turn }, { projection: { [by]: 1 } })
          .sort({ [by]: 1, [due]: 1, _id: 1 })
          .limit(limit)
          .toArray();
        for (const row of page) {
          const whose = String(row[by]);
          const held = taken.get(whose) ?? 0;
          if (held >= share) continue;
          taken.set(whose, held + 1);
          chosen.push(row._id);
          last = whose;
        }
        if (page.length < limit) return;
        after = String(page.at(-1)![by]);
      }
    };
    await walk(begin, null);
    if (begin !== '' && chosen.length < count) await walk('', begin);
    if (chosen.length === 0) last = '';
    return chosen;
  };
}

/** Claims due rows in turns, those of one tenant in the order in which they were due. They bear a `lease` of this claim. */
export function createFairClaims<Row extends { _id: string }>(
  connection: Connection,
  collection: string,
  fair: FairDue,
): (room: Room, change: ClaimChange) => Promise<(Row & { lease: string })[]> {
  const { due } = fair;
  const rows = connection.collection<DueRow>(collection);
  const choose = createFairTurns(connection, collection, fair);

  return async (room, { now, until, set, inc }) => {
    const ids = await choose(now, room);
    if (ids.length === 0) return [];
    const lease = newId();
    const mine = { _id: { $in: ids }, ...dueBy(fair, now) };
    const taken: object = {
      $set: { ...set, [due]: until, lease },
      ...(inc ? { $inc: inc } : {}),
    };
    const { modifiedCount } = await rows.updateMany(mine, taken);
    if (modifiedCount === 0) return [];
    const found = await rows.find({ _id: { $in: ids }, lease }).toArray();
    const won = new Map(found.map((row) => [row._id, row]));
    return ids.flatMap((id) => (won.get(id) as (Row & { lease: string }) | undefined) ?? []);
  };
}
