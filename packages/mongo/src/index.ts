export type { Connection } from 'mongoose';
export { connectStore, createStoreProbe, type StoreProbe, type StoreSettings } from './connection';
export { decodeCursor, encodeCursor } from './cursor';
export { deleteInPieces } from './delete-in-pieces';
export { isDuplicateKey, isTransient, type StoreFault, storeFault } from './errors';
export { createFairClaims, createFairTurns, dueIndex, type FairDue } from './fair-claims';
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
