export type { Connection } from 'mongoose';
export { connectStore, pingStore, type StoreSettings } from './connection';
export { decodeCursor, encodeCursor } from './cursor';
export { isDuplicateKey, isStoreAway, isTransient } from './errors';
export {
  type CollectionIndexes,
  ensureIndexes,
  type IndexSpec,
  missingUniqueIndexes,
} from './indexes';
export { whileRenewing, withLease } from './lease';
export { type CountRange, createLongCounts, limitedTo } from './long-counts';
export { commitOnce, operationIndexes } from './operations';
export { orStale, StaleWrite } from './stale-write';
export { foldText, literalPattern } from './text';
export { type Session, unitOfWork } from './unit-of-work';
