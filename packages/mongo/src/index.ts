export type { Connection } from 'mongoose';
export { type CopyOrder, mentionsIn, translatorOf } from './cloning';
export { type Collection, collection, type Declared } from './collection';
export { connectStore, createStoreProbe, type StoreProbe, type StoreSettings } from './connection';
export { countByDay, type DaysToCount } from './count-by-day';
export { cutPage, decodeCursor, encodeCursor, isTime } from './cursor';
export {
  type Database,
  erasePerson,
  type HandWork,
  mergePerson,
  personExport,
  removeWorkspace,
  shown,
} from './database';
export { deleteInPieces, deletePiece } from './delete-in-pieces';
export { type Current, createDepartures, type Departures, departures } from './departures';
export { type DumpCount, dumpDatabases, restoreDatabases } from './dump';
export {
  isDuplicateKey,
  isOfSome,
  isTransient,
  refusedAsDuplicates,
  type StoreFault,
  storeFault,
} from './errors';
export { type Growth, uniqueBeyond } from './growth';
export {
  applyIndexes,
  type IndexPlan,
  type NamedIndex,
  planIndexes,
  pruneIndexes,
} from './index-plan';
export {
  type CollectionIndexes,
  ensureIndexes,
  type IndexSpec,
  missingUniqueIndexes,
} from './indexes';
export { insertMissing } from './insert-missing';
export { createKeptAnswers } from './kept-answers';
export {
  createKeptCounts,
  createKeptSums,
  type KeptCounts,
  type KeptSums,
  keptDays,
  patienceFor,
} from './kept-sums';
export { KEY_INDEX, keyAfter, refuseTakenKey, withoutMissingKey } from './keys';
export { commitInTurn, locks } from './locks';
export { type CountRange, createLongCounts, limitedTo } from './long-counts';
export { numberedPage } from './numbered-page';
export { onceStoreIsBack } from './once-store-is-back';
export { fingerprintFor, refuseAnotherRequest } from './one-request';
export {
  checkAndCommitOnce,
  commitEachOnce,
  commitInParts,
  commitOnce,
  holdKey,
  operations,
  repeatable,
} from './operations';
export { listText, personText, wholePerson } from './person-text';
export type { Erasure, Merge, Unit } from './persons';
export { removeOlder } from './remove-older';
export { retryingCollisions } from './retrying-collisions';
export type { Rows, TenantRows } from './rows';
export { decidingAnew, orStale, StaleWrite } from './stale-write';
export {
  beneath,
  foldings,
  foldText,
  idIn,
  literalPattern,
  namedLike,
  searchPattern,
  searchTextOf,
} from './text';
export { onCommitted, onEnded, onUnknownEnd, type Session, unitOfWork } from './unit-of-work';
export { asRead, etagOf, requireUnchanged, type Version, versionOf } from './versions';
