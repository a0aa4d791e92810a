export { createRpcClient, type RpcClient, type RpcClientOptions } from './client';
export * from './generated';
export { type SegmentDirectory, segmentDirectory } from './segment-directory';
export { type Handlers, type RpcServer, type StoreFault, startRpcServer } from './server';
