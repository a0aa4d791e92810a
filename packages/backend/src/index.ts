export { cloneHandlers } from './cloning';
export type { ConsumerSpec } from './consumer-spec';
export {
  erasureOf,
  followErasures,
  followMerges,
  followWorkspaces,
  onErasures,
  onMerges,
  onRemovals,
} from './departures';
export { describeFindings, diagnose, type Examined } from './doctor/diagnose';
export type { Finding } from './doctor/finding';
export { ofEveryService } from './indexes';
export { connectRedis, type Redis } from './redis';
export { memoryOfNodes } from './redis-memory';
export { createRemovals } from './removals';
export {
  type Backend,
  type BackendSpec,
  type Parts,
  type RunningBackend,
  startBackend,
} from './start';
