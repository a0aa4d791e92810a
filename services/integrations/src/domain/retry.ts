import { momentNamed } from '@laurel/values/calendar';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first, second, ... failed attempt (part 3, section 14); after the last one a delivery has failed. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
];

/** The longest that a receiver's Retry-After is waited for. */
export const RETRY_AFTER_MS_MAX = 24 * HOUR;
/** Long waits are spread by up to this share, so that a receiver coming back is not hit by all at once. */
const SPREAD = 0.05;

export interface FailedAttempt {
  /** Failed attempts in this round of the schedule, the last one included. */
  failures: number;
  now: Date;
  /** What the receiver asked for by Retry-After; null when it did not. */
  retryAfterMs: number | null;
  /** A number in [0, 1). */
  dice: number;
}

/** When to try again; null when the schedule is at its end. */
export function nextAttemptAt({ failures, now, retryAfterMs, dice }: FailedAttempt): Date | null {
  const scheduled = RETRY_DELAYS_MS[failures - 1];
  if (scheduled === undefined) return null;
  const spread = scheduled < MINUTE ? 0 : scheduled * SPREAD * dice;
  const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return new Date(now.getTime() + Math.max(Math.round(scheduled + spread), asked));
}

/** Reads a Retry-After header (seconds or an HTTP date); null when it says nothing usable. */
export function parseRetryAfter(header: string | string[] | undefined, now: Date): number | null {
  if (typeof header !== 'string') return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * SECOND, RETRY_AFTER_MS_MAX);
  const at = /[a-z]/i.test(text) ? momentNamed(text).getTime() : Number.NaN;
  if (!Number.isFinite(at) || at <= now.getTime()) return null;
  return Math.min(at - now.getTime(), RETRY_AFTER_MS_MAX);
}

/** What one attempt came to. */
export interface AttemptOutcome {
  /** Null when no answer came. */
  status: number | null;
  /** A sentence for the delivery log; null exactly when the receiver took it. */
  error: string | null;
  durationMs: number;
  retryAfterMs: number | null;
  /** The beginning of the answer as text; null when none came. */
  response: string | null;
}

/** What becomes of what a sandbox would send (docs/adr/0029): it is not tried, and says nothing about the receiver. */
export const NOT_SENT: AttemptOutcome = {
  status: null,
  error: 'not sent: a sandbox sends no webhooks',
  durationMs: 0,
  retryAfterMs: null,
  response: null,
};

export const isTaken = ({ status }: AttemptOutcome): boolean =>
  status !== null && status >= 200 && status < 300;

/** 410: the receiver wants nothing more from us. */
export const isGone = ({ status }: AttemptOutcome): boolean => status === 410;

/** The receiver asks everybody to wait, not this message alone. */
export const asksForPause = ({ status, retryAfterMs }: AttemptOutcome): boolean =>
  (status === 429 || status === 503) && retryAfterMs !== null;
