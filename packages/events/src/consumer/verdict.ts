import { Refusal } from '@laurel/errors';
import { Poison } from '../envelope';

/** What to do with a delivery that could not be handled. */
/** `newer` says what a newer release may know: such an event waits for it and uses up no attempt. */
export type Verdict = { retry: true; newer?: string } | { retry: false; reason: string };

const NEWER: ReadonlySet<string> = new Set(['unknown_type', 'unknown_version']);

const TOO_MANY_REQUESTS = 429;

/**
 * Repeating helps against faults, and against refusals that say so (a Retry-After, a server's 5xx).
 * An unreadable message, or a definite no of the business, is parked at once. What only a newer release knows waits
 * until this replica is one: during an upgrade both run side by side.
 */
export function judge(error: unknown): Verdict {
  if (error instanceof Poison)
    return NEWER.has(error.reason)
      ? { retry: true, newer: error.reason }
      : { retry: false, reason: error.reason };
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
