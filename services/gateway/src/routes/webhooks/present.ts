import type { integrations } from '@laurel/rpc';

/** Unset fields of a reply arrive as absent; the API shows them as null. */
export const presentWebhook = (webhook: integrations.Webhook): object => ({
  ...webhook,
  description: webhook.description ?? null,
  disabled_at: webhook.disabled_at ?? null,
  disabled_reason: webhook.disabled_reason ?? null,
  failing_since: webhook.failing_since ?? null,
});

export const presentDelivery = (delivery: integrations.WebhookDelivery): object => ({
  ...delivery,
  response_status: delivery.response_status ?? null,
  last_error: delivery.last_error ?? null,
  next_attempt_at: delivery.next_attempt_at ?? null,
  delivered_at: delivery.delivered_at ?? null,
  reason: delivery.reason ?? null,
});

export const presentDeliveryDetail = ({
  delivery,
  payload,
  response,
  attempts,
}: integrations.WebhookDeliveryDetail): object => ({
  ...presentDelivery(delivery!),
  attempt_count: delivery!.attempts,
  payload: payload ?? null,
  response: response ?? null,
  attempts: attempts.map((attempt) => ({
    ...attempt,
    response_status: attempt.response_status ?? null,
    response: attempt.response ?? null,
    error: attempt.error ?? null,
  })),
});
