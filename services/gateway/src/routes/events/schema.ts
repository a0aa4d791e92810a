import {
  EVENT_AHEAD_DAYS_MAX,
  EVENT_CATEGORIES,
  PERIODS,
  POSTED_EVENT_TYPES,
  REFUND_LINKS,
} from '@laurel/contract';
import { requestNow } from '@laurel/lifecycle';
import {
  amount,
  dateOrTimestamp,
  Joi,
  jsonObject,
  nonNegativeAmount,
  nullable,
  page,
  text,
  timestamp,
  toDate,
  uuid,
} from '../../schema/types';

const VALUE_LENGTH_MAX = 10_000;
const IDS_MAX = 10_000;
const EVENT_TYPES_MAX = 100;

/** The schema of a field that depends on the category; forbidden in categories that are not named. */
function perCategory(schemas: Record<string, Joi.Schema>): Joi.Schema {
  const branches = Object.entries(schemas).map(([is, then]) => ({ is, then }));
  return Joi.any().when('event_category', { switch: branches, otherwise: Joi.forbidden() });
}

const eventType = perCategory(
  Object.fromEntries(
    Object.entries(POSTED_EVENT_TYPES).map(([category, types]) => {
      const known = Joi.string().valid(...types);
      return [
        category,
        category === 'field_change' ? known.default('field_updated') : known.required(),
      ];
    }),
  ),
);
const value = nullable(text(VALUE_LENGTH_MAX));
const currency = Joi.string()
  .pattern(/^[A-Za-z]{3}$/)
  .messages({ 'string.pattern.base': '{{#label}} must be a currency of three letters' });

const DAY_MS = 86_400_000;

const eventTimestamp = (): Joi.StringSchema =>
  timestamp()
    .custom((value: string, helpers) =>
      Date.parse(value) - requestNow().getTime() > EVENT_AHEAD_DAYS_MAX * DAY_MS
        ? helpers.error('moment.ahead')
        : value,
    )
    .messages({
      'moment.ahead': `{{#label}} must not be more than ${EVENT_AHEAD_DAYS_MAX} days in the future`,
    });

/** Numbers and their text are the same name (part 4, section 5): it is kept as text. */
const nameOfSale = (): Joi.Schema =>
  Joi.alternatives(
    text(255, 1),
    Joi.number().custom((value: number) => String(value)),
  )
    .match('any')
    .messages({ 'alternatives.types': '{{#label}} must be a text or a number' });

export interface EventBody {
  pass_id: string;
  event_category: string;
  event_type: string;
  event_timestamp?: string;
  external_id?: string;
  original_external_id?: string;
  source?: string;
  metadata?: { [name: string]: never };
  amount?: number;
  currency?: string;
  field_name?: string;
  old_value?: string | null;
  new_value?: string | null;
}

export const createEvent = Joi.object<EventBody>({
  event_category: Joi.string()
    .valid(...Object.keys(POSTED_EVENT_TYPES))
    .required(),
  pass_id: uuid().required(),
  event_type: eventType,
  event_timestamp: eventTimestamp(),
  external_id: nameOfSale(),
  original_external_id: Joi.when('event_type', {
    is: Joi.valid('refund').required(),
    // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
    then: nameOfSale(),
    otherwise: Joi.forbidden().messages({ 'any.unknown': '{{#label}} belongs to refunds only' }),
  }),
  source: text(100),
  metadata: jsonObject(),
  field_name: perCategory({
    field_change: text(100, 1).required(),
    pass_lifecycle: text(100, 1),
  }),
  old_value: perCategory({ field_change: value, pass_lifecycle: value }),
  new_value: perCategory({ field_change: value, pass_lifecycle: value }),
  amount: perCategory({ transaction: nonNegativeAmount().required(), loyalty: amount() }),
  currency: perCategory({ transaction: currency.required() }),
});
/**
 * The same whatever time it is: in a sandbox that is known once it is known which workspace its pass is of
 * (docs/adr/0029).
 */
export const eventOfAnyTime = createEvent.keys({ event_timestamp: timestamp() });

/** Each event is checked on its own: a bad one fails alone. */
export const createEvents = Joi.object<{ events: Record<string, unknown>[] }>({
  events: Joi.array().items(Joi.object().unknown(true)).min(1).max(1_000).required(),
});

export const deleteEvents = Joi.object<{ workspace_id: string; event_ids: string[] }>({
  workspace_id: uuid().required(),
  event_ids: Joi.array().items(uuid()).max(IDS_MAX).required(),
});

export interface AggregateBody {
  workspace_id: string;
  function: string;
  field?: string;
  pass_ids?: string[];
  event_category?: string;
  event_types?: string[];
  field_name?: string;
  currency?: string;
  time_window?: string;
  custom_days?: number;
  from_date?: string;
  to_date?: string;
  group_by_pass: boolean;
  group_by_time?: string;
}

export const aggregateEvents = Joi.object<AggregateBody>({
  workspace_id: uuid().required(),
  function: Joi.string().valid('count', 'sum', 'avg', 'min', 'max').required(),
  field: Joi.string()
    .valid('amount', 'points_delta')
    // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
    .when('function', { not: 'count', then: Joi.required() }),
  pass_ids: Joi.array().items(uuid()).max(IDS_MAX),
  event_category: Joi.string().valid(...EVENT_CATEGORIES),
  event_types: Joi.array().items(text(100, 1)).max(EVENT_TYPES_MAX),
  field_name: text(100, 1),
  currency,
  time_window: Joi.string().valid('day', 'week', 'month', 'quarter', 'year', 'all_time'),
  custom_days: Joi.number().min(1).max(365),
  from_date: dateOrTimestamp(),
  to_date: toDate(),
  group_by_pass: Joi.boolean().default(false),
  group_by_time: Joi.string().valid(...PERIODS),
});

export const createEngagement = Joi.object<{
  client_id: string;
  event_type: string;
  pass_id?: string;
  event_timestamp?: string;
  source: string;
  metadata: { [name: string]: never };
}>({
  client_id: uuid().required(),
  event_type: Joi.string()
    .valid(...POSTED_EVENT_TYPES.engagement)
    .required(),
  pass_id: uuid(),
  event_timestamp: eventTimestamp(),
  source: text(100).default('api'),
  metadata: jsonObject().default({}),
});

export const createCustomEvent = Joi.object<{
  client_id?: string;
  pass_id?: string;
  event_type: string;
  event_timestamp?: string;
  external_id?: string;
  metadata: { [name: string]: never };
}>({
  client_id: uuid(),
  pass_id: uuid(),
  event_type: text(100, 1).required(),
  event_timestamp: eventTimestamp(),
  external_id: nameOfSale(),
  metadata: jsonObject().default({}),
}).or('client_id', 'pass_id');

const listed = {
  event_category: Joi.string().valid(...EVENT_CATEGORIES),
  event_type: text(100, 1),
  from_date: dateOrTimestamp(),
  to_date: toDate(),
  ...page({ limitMax: 1_000, limitDefault: 50, cursor: true }),
};

export interface ListEventsQuery {
  event_category?: string;
  event_type?: string;
  from_date?: string;
  to_date?: string;
  limit: number;
  offset?: number;
  cursor?: string;
}

export const listClientEvents = Joi.object<ListEventsQuery>(listed);
export const listEvents = Joi.object<
  ListEventsQuery & { pass_id?: string; client_id?: string; source?: string }
>({ ...listed, pass_id: uuid(), client_id: uuid(), source: text(100) });

export const event = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  pass_id: nullable(uuid()).required(),
  client_id: nullable(uuid()).required(),
  event_category: Joi.string()
    .valid(...EVENT_CATEGORIES)
    .required(),
  event_type: Joi.string().required(),
  event_timestamp: timestamp().required(),
  source: nullable(Joi.string()).required(),
  external_id: nullable(Joi.string()).required(),
  metadata: Joi.object().unknown(true).required(),
  amount: nullable(Joi.number()).required(),
  currency: nullable(Joi.string()).required(),
  field_name: nullable(Joi.string()).required(),
  old_value: nullable(Joi.string()).required(),
  new_value: nullable(Joi.string()).required(),
  client_name_snapshot: nullable(Joi.string()).required(),
  // Of refunds only.
  original_external_id: nullable(Joi.string()),
  refund_link: nullable(Joi.string().valid(...REFUND_LINKS)),
}).meta({ name: 'Event' });
export const events = Joi.array().items(event);

export const recordedEvents = Joi.object({
  created: Joi.number().integer().required(),
  failed: Joi.number().integer().required(),
  events: events.required(),
  errors: Joi.array().items({
    index: Joi.number().integer().required(),
    error: Joi.string().required(),
  }),
});

export const deletedEvents = Joi.object({ deleted: Joi.number().integer().required() });

const figure = nullable(Joi.number()).required();
const buckets = Joi.array().items({ date: Joi.string().required(), value: figure });
export const aggregate = Joi.alternatives(
  Joi.object({
    value: figure,
    event_category: nullable(Joi.string()).required(),
    event_types: nullable(Joi.array().items(Joi.string())).required(),
    time_window: nullable(Joi.string()).required(),
    from_date: nullable(timestamp()).required(),
    to_date: nullable(timestamp()).required(),
    buckets,
  }),
  Joi.array().items({ pass_id: uuid().required(), value: figure, buckets }),
);
