import { Metadata, status } from '@grpc/grpc-js';
import { platform, Refusal } from '@laurel/errors';
import { currentContext, type Logger } from '@laurel/lifecycle';
import type { Failure } from './in-process';
import { refusalToMetadata } from './metadata';

/**
 * `away`: the store cannot be asked, which ends soon or not. `busy`: it has no room for this call. `conflict`: others
 * changed the same rows all the time that the caller gave.
 */
export type StoreFault = 'away' | 'busy' | 'conflict';

/** Which call met with it, for the log. */
export type Names = { service: string; method: string };

export interface Faults {
  logger: Logger;
  /** What a fault of the store means for the caller; null for any other fault. */
  storeFault?: ((error: unknown) => StoreFault | null) | undefined;
}

/** What is away is mostly back that soon. */
const RETRY_AFTER_SECONDS = 1;

const CODE_BY_STATUS: Record<number, status> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  409: status.FAILED_PRECONDITION,
  429: status.RESOURCE_EXHAUSTED,
  503: status.ABORTED,
};

/** What the caller hears of an error: a refusal as itself, a fault of the store as a reason to try again, of anything else only that it was. */
export function failureOf(error: unknown, names: Names, { logger, storeFault }: Faults): Failure {
  const fault = storeFault?.(error) ?? null;
  const refusal = fault === null ? error : refusalOf(fault);
  if (fault !== null)
    logger.warn({ err: error, ...names, fault }, 'an rpc met a store that could not');
  if (refusal instanceof Refusal) {
    const code = CODE_BY_STATUS[refusal.httpStatus] ?? status.FAILED_PRECONDITION;
    return {
      code,
      name: refusal.code,
      details: refusal.code,
      metadata: refusalToMetadata(refusal, fault === 'away'),
    };
  }
  logger.error({ err: error, ...names }, 'an rpc failed');
  return { code: status.INTERNAL, name: 'INTERNAL', details: 'internal', metadata: new Metadata() };
}

/** In the background a conflict is no decision either, only a reason to try again: no step of it may end by one. */
function refusalOf(fault: StoreFault): Refusal {
  return fault === 'conflict' && !currentContext().background
    ? platform.conflict({
        message: 'others are changing the same thing; try again',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    : platform.serviceUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS });
}
