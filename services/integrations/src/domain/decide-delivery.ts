// Why a webhook was not sent: whether an event becomes a delivery, whether deliveries may leave, and what an attempt
// makes of one. What keeps a delivery back or ended it is its `reason` in the API.
import type { DeliveryReason, DeliveryStatus } from '@laurel/contract';
import { type AttemptOutcome, isGone, isTaken, NOT_SENT, nextAttemptAt } from './retry';
import { asksFor } from './subscription';

/** What decides of a webhook. */
interface Endpoint {
  active: boolean;
  disabled_reason: 'gone' | 'failing' | null;
  /** The receiver asked to be left alone until then. */
  paused_until: Date | null;
}

/** An event as webhooks see it. */
interface Told {
  /** Its webhook name, such as `loyalty.points_earned`. */
  name: string;
  /** The one webhook that a rule named; null where the event is for all that ask for it. */
  target: string | null;
}

/**
 * Whether a webhook gets a delivery of an event. Nothing is kept of a no: a webhook that is switched on later has a replay
 * for what it missed.
 */
export function getsDelivery(
  webhook: { _id: string; event_types: readonly string[]; active: boolean },
  { name, target }: Told,
): boolean {
  if (!webhook.active) return false;
  // The endpoint that a rule names gets its call whatever its event_types say; no other does.
  return target === null ? asksFor(webhook.event_types, name) : webhook._id === target;
}

/** What holds back everything that waits for a webhook at this moment; null where it may leave. */
export function whyHeldBack(webhook: Endpoint, now: Date): DeliveryReason | null {
  if (!webhook.active) {
    if (webhook.disabled_reason === null) return 'webhook_inactive';
    return webhook.disabled_reason === 'gone' ? 'webhook_gone' : 'webhook_failing';
  }
  return webhook.paused_until !== null && webhook.paused_until > now ? 'webhook_paused' : null;
}

/** What becomes of a delivery. */
export interface Decision {
  status: DeliveryStatus;
  /** Null exactly where the receiver took it. */
  reason: DeliveryReason | null;
  nextAttemptAt: Date | null;
}

/** The event was forgotten before it could be sent. */
export const EXPIRED: Decision = ended('event_expired');

/** What an attempt makes of its delivery; `failures` counts those before it in this round, `dice` is in [0, 1). */
export function decideDelivery(
  outcome: AttemptOutcome,
  { failures, now, dice }: { failures: number; now: Date; dice: number },
): Decision {
  if (isTaken(outcome)) return { status: 'delivered', reason: null, nextAttemptAt: null };
  if (outcome === NOT_SENT) return ended('sandbox');
  if (isGone(outcome)) return ended('webhook_gone');
  const { retryAfterMs } = outcome;
  const again = nextAttemptAt({ failures: failures + 1, now, retryAfterMs, dice });
  return again === null
    ? ended('retries_exhausted')
    : { status: 'pending', reason: 'retry_scheduled', nextAttemptAt: again };
}

/** The answer for a delivery as people see it: what holds its webhook back comes before its own reason. */
export function whyNotSent(
  delivery: { status: DeliveryStatus; reason?: DeliveryReason | null },
  webhook: Endpoint,
  now: Date,
): DeliveryReason | null {
  const held = delivery.status === 'pending' ? whyHeldBack(webhook, now) : null;
  return held ?? delivery.reason ?? null;
}

function ended(reason: DeliveryReason): Decision {
  return { status: 'failed', reason, nextAttemptAt: null };
}
