export { createRpcClient, type RpcClient, type RpcClientOptions } from './client';
export type { StoreFault } from './failure-of';
export { orBeforeUpgrade } from './failures';
export * from './generated';
export { shareProcess } from './in-process';
export {
  type ReferableKind,
  type ReferenceDirectory,
  type ReferenceHolder,
  referenceDirectory,
  referenced,
} from './reference-directory';
export { type SegmentDirectory, segmentDirectory } from './segment-directory';
export { type Handlers, type RpcServer, startRpcServer } from './server';
export { successorOf, successorsOf } from './successors';
