import { collection } from '@laurel/mongo';
import { PART_INDEXES, type PartDocument } from '@laurel/work';

/** Members of audiences whom an action is still to be applied to, until some replica has done it. */
export const actionParts = collection<PartDocument>('action_parts', {
  tenant: 'workspace_id',
  // Places in an audience, which do not say of any client who that is.
  person: 'nobody',
  clone: 'left: in a clone nothing has been done yet',
  growth: {
    per: 'piece of a large audience that waits for an action',
    end: 'when the action was applied to it',
    shardKey: 'hashed _id',
  },
  indexes: PART_INDEXES,
});
