import { type CollectionIndexes, keptSumsIndexes } from '@laurel/mongo';
import { DAILY_SUMS } from './daily-sums';

/** Holds the entries of a workspace in the order of their times. */
export const NEWEST = 'newest';
/** Holds the few entries that the relay has not marked. */
export const UNRELAYED = 'unrelayed';

/**
 * The unique indexes of `entries` are what makes an operation commit once: a place in the log, an
 * operation, a claim (an external_id, or the reversal of an entry) can each be taken only once.
 */
export const indexes: CollectionIndexes[] = [
  {
    collection: 'entries',
    indexes: [
      { key: { workspace_id: 1, wallet_id: 1, sequence: 1 }, name: 'place', unique: true },
      { key: { workspace_id: 1, operation_id: 1 }, name: 'operation', unique: true },
      {
        key: { workspace_id: 1, claim: 1 },
        name: 'claim',
        unique: true,
        partialFilterExpression: { claim: { $exists: true } },
      },
      { key: { workspace_id: 1, _id: 1 }, name: NEWEST },
      {
        key: { workspace_id: 1, source_id: 1 },
        name: 'purchase',
        partialFilterExpression: { type: 'earn', source_type: 'transaction' },
      },
      {
        key: { unrelayed: 1, _id: 1 },
        name: UNRELAYED,
        partialFilterExpression: { unrelayed: true },
      },
    ],
  },
  {
    collection: 'wallets',
    indexes: [
      { key: { workspace_id: 1, client_id: 1 }, name: 'client' },
      { key: { workspace_id: 1, _id: 1 }, name: 'of_workspace' },
      { key: { workspace_id: 1, wallet_type_id: 1, _id: 1 }, name: 'type' },
      { key: { next_due_at: 1 }, name: 'due' },
    ],
  },
  {
    collection: 'wallet_types',
    indexes: [
      { key: { workspace_id: 1, code: 1 }, name: 'code', unique: true },
      {
        key: { workspace_id: 1, is_default: 1 },
        name: 'one_default',
        unique: true,
        partialFilterExpression: { is_default: true },
      },
    ],
  },
  {
    collection: 'loyalty_configs',
    indexes: [{ key: { workspace_id: 1 }, name: 'workspace', unique: true }],
  },
  {
    collection: 'purchase_refunds',
    indexes: [
      { key: { workspace_id: 1, source_id: 1 }, name: 'purchase', unique: true },
      { key: { open: 1 }, name: 'open', partialFilterExpression: { open: true } },
      { key: { workspace_id: 1, 'sales.ids': 1 }, name: 'sales' },
      { key: { workspace_id: 1, 'sales.client_id': 1 }, name: 'of_client' },
    ],
  },
  {
    collection: 'checkpoints',
    indexes: [
      { key: { workspace_id: 1, at: 1 }, name: 'hour', unique: true },
      { key: { at: 1, workspace_id: 1 }, name: 'of_hour' },
      { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
    ],
  },
  keptSumsIndexes(DAILY_SUMS),
];
