export { backoffMs } from './backoff';
export { catchUpJob, createCatchUps } from './catch-ups';
export { drain, jobNamed } from './drain';
export { type Claimed, createDue, createDueTimes, type Due, type DueTimes } from './due';
export { workInTurn } from './in-turn';
export {
  type Again,
  clockOf,
  dueInSandboxes,
  isPieceWork,
  isTimed,
  type Job,
  type PageJob,
  PIECE_LEASE_MS,
  type PieceJob,
  type Process,
} from './job';
export { createLease, leaseEndsAt, whileRenewing } from './lease';
export { type Loop, type Next, type Reason, startLoop } from './loop';
export { createParts, PART_INDEXES, type Part, type PartDocument, type Parts } from './parts';
export { byClockOf, ofThisClock } from './passes';
export { type Broadcast, startWork } from './run';
export { createTurns, type DueSpec, dueIndex, type Room } from './turns';
export { type Wakes, wakesOf } from './wakes';
