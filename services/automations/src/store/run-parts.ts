import { collection } from '@laurel/mongo';
import { PART_INDEXES, type PartDocument } from '@laurel/work';

const IDS_ALONE = 'ids alone, and gone when the page was worked on';

/** Pages of clients whom runs are for, until somebody has worked on them. */
export const runParts = collection<PartDocument>('run_parts', {
  tenant: 'workspace_id',
  person: {
    column: 'subjects',
    merged: 'stays: an execution looks who that is now',
    anonymized: `stays: ${IDS_ALONE}`,
    deleted: 'as anonymized',
    exported: `withheld: ${IDS_ALONE}`,
  },
  growth: {
    per: 'page of a run that waits',
    end: 'when it was worked on',
    shardKey: 'hashed _id',
  },
  indexes: PART_INDEXES,
});
