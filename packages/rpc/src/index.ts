export { createRpcClient, type RpcClient, type RpcClientOptions } from './client';
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
export { type Handlers, type RpcServer, type StoreFault, startRpcServer } from './server';
