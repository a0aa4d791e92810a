import type { Connection } from '@laurel/mongo';
import { type Change, createDue } from './due';
import type { DueSpec, Room } from './turns';

/** How a claim changes the rows that it wins, besides their `lease` and the column that says when they are due. */
interface ClaimChange {
  now: Date;
  until: Date;
  set?: NonNullable<Change['$set']>;
  inc?: NonNullable<Change['$inc']>;
}

/**
 * Claims due rows in turns, for a store that ends and renews its claims by itself. They bear a `lease` of this claim.
 */
export function createFairClaims<Row extends { _id: string }>(
  connection: Connection,
  collection: string,
  spec: DueSpec,
): (room: Room, change: ClaimChange) => Promise<(Row & { lease: string })[]> {
  const due = createDue<Row, Row & { lease: string }>(connection, collection, {
    ...spec,
    read: (row) => row,
  });
  return async (room, { now, until, set, inc }) => {
    const change = { ...(set ? { $set: set } : {}), ...(inc ? { $inc: inc } : {}) };
    const claimed = await due.claim(room, {
      now,
      leaseMs: until.getTime() - now.getTime(),
      change,
    });
    return claimed.map(({ row }) => row);
  };
}
