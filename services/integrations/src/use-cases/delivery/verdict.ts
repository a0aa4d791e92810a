import { newId } from '@laurel/lifecycle';
import { decideDelivery } from '../../domain/decide-delivery';
import { type AttemptOutcome, asksForPause, isGone, isTaken, NOT_SENT } from '../../domain/retry';
import type { DeliveryResult } from '../../store/delivery-results';
import type { WebhookRow } from '../../store/webhooks';
import type { Loaded } from './lane';

/** How long a receiver's Retry-After holds up everything that goes to it. */
const PAUSE_MS_MAX = 60 * 60_000;

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

/** What an attempt means for its endpoint. */
export type Consequence =
  | { kind: 'works' }
  | { kind: 'failing'; since: Date }
  | { kind: 'pause'; until: Date; since: Date }
  | { kind: 'disable'; reason: 'gone' | 'failing' };

/** Null when the endpoint stays as it is. */
export function consequenceOf(
  webhook: WebhookRow,
  outcome: AttemptOutcome,
  { now, disableAfterMs }: { now: Date; disableAfterMs: number },
): Consequence | null {
  if (outcome === NOT_SENT) return null;
  const since = webhook.failing_since;
  if (isTaken(outcome)) return since === null ? null : { kind: 'works' };
  if (isGone(outcome)) return { kind: 'disable', reason: 'gone' };
  if (since !== null && now.getTime() - since.getTime() >= disableAfterMs) {
    return { kind: 'disable', reason: 'failing' };
  }
  if (asksForPause(outcome)) {
    const until = new Date(now.getTime() + Math.min(outcome.retryAfterMs ?? 0, PAUSE_MS_MAX));
    return { kind: 'pause', until, since: since ?? now };
  }
  return since === null ? { kind: 'failing', since: now } : null;
}

/** The endpoint as this process sees it until it reads it again. */
export function withConsequence(webhook: WebhookRow, consequence: Consequence): WebhookRow {
  switch (consequence.kind) {
    case 'works':
      return { ...webhook, failing_since: null };
    case 'failing':
      return { ...webhook, failing_since: consequence.since };
    case 'pause':
      return { ...webhook, failing_since: consequence.since, paused_until: consequence.until };
    case 'disable':
      return { ...webhook, active: false, disabled_reason: consequence.reason };
  }
}
