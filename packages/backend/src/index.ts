export { connectRedis, type Redis } from './redis';
export {
  type Backend,
  type BackendSpec,
  type ConsumerSpec,
  type Parts,
  type RunningBackend,
  startBackend,
} from './start';
