import {
  connectivityState,
  type Client as GrpcClient,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { platform } from '@laurel/errors';
import { isAwayByMetadata, refusalFromMetadata } from './metadata';

/** About what a replica takes to come up. */
const UPGRADE_SECONDS = 5;

/**
 * Whether a failure means that the service is not there: no connection, or its own word that its store is away. A
 * deadline that passed otherwise only means slow, on either side of the connection, and a fault is one call's.
 */
export function isDown({ code, metadata }: ServiceError, channel: GrpcClient): boolean {
  if (isAwayByMetadata(metadata)) return true;
  if (refusalFromMetadata(metadata)) return false;
  if (code === status.UNAVAILABLE) return true;
  return (
    code === status.DEADLINE_EXCEEDED &&
    channel.getChannel().getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE
  );
}

/** How many of a target are asked for one that knows an rpc: while one is replaced by the next release, every other does. */
export const SERVERS_ASKED = 3;

/** A server of a release that does not have the rpc. */
export const isUnknown = ({ code }: ServiceError): boolean => code === status.UNIMPLEMENTED;

/**
 * What was asked, or what does in its place where no server of the release that brought the rpc is there yet. Only for what
 * stood otherwise before: without it such a call is refused as unavailable until one is.
 */
export async function orBeforeUpgrade<T>(call: Promise<T>, before: () => T | Promise<T>) {
  try {
    return await call;
  } catch (error) {
    if (!isUnknown(((error as Error).cause ?? {}) as ServiceError)) throw error;
    return before();
  }
}

/** What a caller hears of a failure. */
export function toError(error: ServiceError, service: string): Error {
  const refusal = refusalFromMetadata(error.metadata);
  if (refusal) return refusal;
  if (isUnknown(error)) {
    const message = `${service} is being upgraded`;
    return Object.assign(
      platform.serviceUnavailable({ message, retryAfterSeconds: UPGRADE_SECONDS }),
      { cause: error },
    );
  }
  if (
    [
      status.UNAVAILABLE,
      status.DEADLINE_EXCEEDED,
      status.RESOURCE_EXHAUSTED,
      status.CANCELLED,
    ].includes(error.code)
  ) {
    return platform.serviceUnavailable({
      message: `${service} is not available`,
      retryAfterSeconds: 1,
    });
  }
  return new Error(`${service} failed: ${error.details}`, { cause: error });
}
