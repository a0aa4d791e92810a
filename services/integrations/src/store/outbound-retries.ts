import { type Connection, collection } from '@laurel/mongo';
import { dueIndex } from '@laurel/work';
import { createWalkStore, type WalkRow } from './outbound-walks';

/** That what an outside system refused is to be tried again now; the cursor is the `_id` of an outbound job. */
export const outboundRetries = collection<WalkRow>('outbound_retries', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: the clone tells nobody yet',
  growth: {
    per: 'provider',
    end: 'when all are due again',
    shardKey: 'whole',
  },
  indexes: [dueIndex(), { key: { workspace_id: 1, provider: 1 }, name: 'provider' }],
});

export const createOutboundRetryStore = (connection: Connection) =>
  createWalkStore(connection, outboundRetries);
