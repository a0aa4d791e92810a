export { createRpcClient, type RpcClient, type RpcClientOptions } from './client';
export * from './generated';
export { type Handlers, type RpcServer, startRpcServer } from './server';
