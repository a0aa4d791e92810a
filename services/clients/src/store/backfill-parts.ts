import { type Connection, collection } from '@laurel/mongo';
import { createParts, PART_INDEXES, type PartDocument, type Parts } from '@laurel/work';

const IDS_ALONE = 'ids alone, and gone when the page was worked on';

/** Pages of clients who are to get what is made once, until some replica has made it. */
export const backfillParts = collection<PartDocument>('backfill_parts', {
  tenant: 'workspace_id',
  person: {
    column: 'subjects',
    merged: 'stays: a client who is no more is passed over',
    anonymized: `stays: ${IDS_ALONE}`,
    deleted: 'as anonymized',
    exported: `withheld: ${IDS_ALONE}`,
  },
  growth: {
    per: 'page of clients from before that waits',
    end: 'when it was worked on',
    shardKey: 'hashed _id',
  },
  indexes: PART_INDEXES,
});

export interface BackfillParts extends Parts {
  /** How many pages of all workspaces wait or are in hand; counted no further than `most`. */
  countAll(most: number): Promise<number>;
}

export function createBackfillPartStore(connection: Connection): BackfillParts {
  const everywhere = backfillParts.open(connection).ofEverybody;
  return {
    ...createParts(connection, backfillParts),
    countAll: (most) => everywhere.countDocuments({}, { limit: most }),
  };
}
