import { DELIVERY_REASONS, DELIVERY_STATUSES } from '@laurel/contract';
import {
  byKey,
  dateOrTimestamp,
  emptyOrSaid,
  Joi,
  nullable,
  page,
  programmeKey,
  shownKey,
  text,
  timestamp,
  toDate,
  uuid,
} from '../../schema/types';

const URL_LENGTH_MAX = 2_048;
const EVENT_TYPES_MAX = 100;

const url = text(URL_LENGTH_MAX, 1);
const eventTypes = Joi.array().items(text(255, 1)).min(1).max(EVENT_TYPES_MAX);
const description = nullable(emptyOrSaid(text(1_000)));

export const listWebhooks = Joi.object<{ key?: string; limit: number; offset?: number }>({
  key: byKey(),
  ...page({ limitMax: 1_000, limitDefault: 100 }),
});

export const createWebhook = Joi.object<{
  key?: string | null;
  url: string;
  event_types: string[];
  description?: string | null;
  active?: boolean;
}>({
  key: programmeKey(),
  url: url.required(),
  event_types: eventTypes.required(),
  description,
  active: Joi.boolean(),
});

export const updateWebhook = Joi.object<{
  key?: string | null;
  url?: string;
  event_types?: string[];
  description?: string | null;
  active?: boolean;
}>({
  key: programmeKey(),
  url,
  event_types: eventTypes,
  description,
  active: Joi.boolean(),
});

export const webhook = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  key: shownKey(),
  url: Joi.string().required(),
  event_types: Joi.array().items(Joi.string()).required(),
  description: nullable(Joi.string()).required(),
  active: Joi.boolean().required(),
  disabled_at: nullable(timestamp()).required(),
  disabled_reason: nullable(Joi.string().valid('gone', 'failing')).required(),
  failing_since: nullable(timestamp()).required(),
  date_created: timestamp().required(),
  date_updated: timestamp().required(),
}).meta({ name: 'Webhook' });

export const webhooks = Joi.array().items(webhook);

export const webhookWithSecret = Joi.object({
  data: webhook.required(),
  secret: Joi.string().required(),
});

export const testResult = Joi.object({
  status_code: nullable(Joi.number().integer()).required(),
  duration_ms: Joi.number().required(),
  error: nullable(Joi.string()).required(),
});

const status = Joi.string().valid(...DELIVERY_STATUSES);

export const listDeliveries = Joi.object<{
  status?: string;
  event_type?: string;
  limit: number;
  cursor?: string;
}>({
  status,
  event_type: text(255, 1),
  limit: Joi.number().integer().min(1).max(1_000).default(50),
  cursor: Joi.string().max(500),
});

const REASON =
  'why it is not with the receiver; null where nothing keeps it back and once it was taken';

export const delivery = Joi.object({
  id: uuid().required(),
  event_id: uuid().required(),
  event_type: Joi.string().required(),
  attempts: Joi.number().integer().required(),
  status: status.required(),
  response_status: nullable(Joi.number().integer()).required(),
  last_error: nullable(Joi.string()).required(),
  next_attempt_at: nullable(timestamp()).required(),
  delivered_at: nullable(timestamp()).required(),
  reason: nullable(Joi.string().valid(...DELIVERY_REASONS))
    .required()
    .description(REASON),
}).meta({ name: 'WebhookDelivery' });

const responseText = nullable(Joi.string().allow('')).required();
const attempt = Joi.object({
  id: uuid().required(),
  at: timestamp().required(),
  duration_ms: Joi.number().required(),
  response_status: nullable(Joi.number().integer()).required(),
  response: responseText,
  error: nullable(Joi.string()).required(),
}).meta({ name: 'WebhookAttempt' });
export const deliveryDetail = delivery
  .keys({
    attempt_count: Joi.number().integer().required(),
    payload: nullable(Joi.object().unknown(true)).required(),
    response: responseText,
    attempts: Joi.array().items(attempt).required(),
  })
  .meta({ name: 'WebhookDeliveryDetail' });

export const deliveries = Joi.array().items(delivery);

export const replayWebhook = Joi.object<{
  from_date: string;
  to_date: string;
  event_types?: string[];
}>({
  from_date: dateOrTimestamp().required(),
  to_date: toDate().required(),
  event_types: eventTypes,
});

export const replay = Joi.object({
  id: uuid().required(),
  webhook_id: uuid().required(),
  from_date: timestamp().required(),
  to_date: timestamp().required(),
  event_types: Joi.array().items(Joi.string()).required(),
  status: Joi.string().valid('pending', 'completed').required(),
});
