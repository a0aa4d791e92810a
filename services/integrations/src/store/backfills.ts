import { type Connection, collection } from '@laurel/mongo';
import { dueIndex } from '@laurel/work';
import { createWalkStore, type WalkRow } from './outbound-walks';

/** That an outside system is still to hear of the clients there were when telling it was switched on; the cursor is that of their list. */
export const backfills = collection<WalkRow>('outbound_backfills', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: the clone tells nobody yet',
  growth: {
    per: 'provider',
    end: 'when all were told',
    shardKey: 'whole',
  },
  indexes: [dueIndex(), { key: { workspace_id: 1, provider: 1 }, name: 'provider' }],
});

export const createBackfillStore = (connection: Connection) =>
  createWalkStore(connection, backfills);
