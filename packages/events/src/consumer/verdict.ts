import { Refusal } from '@laurel/errors';
import { Poison } from '../envelope';

/** What to do with a delivery that could not be handled. */
export type Verdict = { retry: true } | { retry: false; reason: string };

const TOO_MANY_REQUESTS = 429;

/**
 * Repeating helps against faults, and against refusals that say so (a Retry-After, a server's 5xx).
 * A message nobody can read, or a definite no of the business, is parked at once.
 */
export function judge(error: unknown): Verdict {
  if (error instanceof Poison) return { retry: false, reason: error.reason };
  if (!(error instanceof Refusal)) return { retry: true };
  const temporary =
    error.httpStatus >= 500 ||
    error.httpStatus === TOO_MANY_REQUESTS ||
    error.retryAfterSeconds !== undefined;
  return temporary ? { retry: true } : { retry: false, reason: `refused:${error.code}` };
}

const ERROR_TEXT_MAX = 500;

/** The error as it goes into a message header: one line, no stack. */
export function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replace(/\s+/g, ' ').slice(0, ERROR_TEXT_MAX);
}
