import { newId } from '@laurel/lifecycle';
import { decideDelivery } from '../../domain/decide-delivery';
import {
  type AttemptOutcome,
  asksForPause,
  isGone,
  isTaken,
  NOT_SENT,
  RETRY_AFTER_MS_MAX,
} from '../../domain/retry';
import type { DeliveryResult } from '../../store/delivery-results';
import type { Failing, WebhookRow } from '../../store/webhooks';
import type { Loaded } from './lane';

/** How long a receiver's Retry-After holds up everything that goes to it. */
const PAUSE_MS_MAX = 60 * 60_000;
/**
 * Attempts at one delivery are never as far apart as that: the longest wait is a Retry-After of a day. Where none was made for
 * longer, the receiver may have been well meanwhile, and failures are counted afresh; not where a delivery was given up before:
 * an endpoint that is gone and seldom sent to would never come to its end.
 */
const SILENT_MS_MAX = 1.5 * RETRY_AFTER_MS_MAX;
/** The last of many failures is noted that often. */
const NOTED_MS = 60 * 60_000;
const NEVER = new Date(0);

/** What an attempt means for its delivery. */
export function resultOf(
  { workspaceId, webhookId }: { workspaceId: string; webhookId: string },
  delivery: Loaded,
  outcome: AttemptOutcome,
): DeliveryResult {
  const at = new Date();
  const { failures } = delivery;
  return {
    ...decideDelivery(outcome, { failures, now: at, dice: Math.random() }),
    id: delivery._id,
    workspaceId,
    round: delivery.round,
    responseStatus: outcome.status,
    error: outcome.error,
    at,
    attempt: {
      _id: newId(),
      workspace_id: workspaceId,
      webhook_id: webhookId,
      delivery_id: delivery._id,
      subject: delivery.subject,
      at,
      duration_ms: outcome.durationMs,
      response_status: outcome.status,
      response: outcome.response,
      error: outcome.error,
      expires_at: delivery.keptUntil,
    },
  };
}

/** When an attempt was made, and what it was for its delivery. */
interface Tried {
  now: Date;
  disableAfterMs: number;
  /** It failed as the last that its delivery had. */
  isLast: boolean;
}

/** What an attempt means for its endpoint. */
export type Consequence =
  | { kind: 'works' }
  | { kind: 'failing'; failing: Failing }
  | { kind: 'pause'; until: Date; failing: Failing }
  | { kind: 'disable'; reason: 'gone' | 'failing' };

/** Null when the endpoint stays as it is. */
export function consequenceOf(
  webhook: WebhookRow,
  outcome: AttemptOutcome,
  { now, disableAfterMs, isLast }: Tried,
): Consequence | null {
  if (outcome === NOT_SENT) return null;
  const before = webhook.failing_since;
  if (isTaken(outcome)) return before === null ? null : { kind: 'works' };
  if (isGone(outcome)) return { kind: 'disable', reason: 'gone' };
  const lastAt = webhook.last_failed_at ?? before;
  const gaveUp = before !== null && (webhook.exhausted_at ?? NEVER) >= before;
  const isSameRun =
    before !== null && (gaveUp || now.getTime() - lastAt!.getTime() <= SILENT_MS_MAX);
  if (isSameRun && now.getTime() - before.getTime() >= disableAfterMs) {
    return { kind: 'disable', reason: 'failing' };
  }
  const failing = { before, since: isSameRun ? before : now, at: now, isLast };
  if (asksForPause(outcome)) {
    const until = new Date(now.getTime() + Math.min(outcome.retryAfterMs ?? 0, PAUSE_MS_MAX));
    return { kind: 'pause', until, failing };
  }
  const isNoted = isSameRun && now.getTime() - lastAt!.getTime() < NOTED_MS && (gaveUp || !isLast);
  return isNoted ? null : { kind: 'failing', failing };
}

/** The endpoint as this process sees it until it reads it again. */
export function withConsequence(webhook: WebhookRow, consequence: Consequence): WebhookRow {
  switch (consequence.kind) {
    case 'works':
      return { ...webhook, failing_since: null };
    case 'failing':
      return { ...webhook, ...asFailing(consequence.failing) };
    case 'pause':
      return { ...webhook, ...asFailing(consequence.failing), paused_until: consequence.until };
    case 'disable':
      return { ...webhook, active: false, disabled_reason: consequence.reason };
  }
}

const asFailing = ({ since, at, isLast }: Failing) => ({
  failing_since: since,
  last_failed_at: at,
  ...(isLast ? { exhausted_at: at } : {}),
});
