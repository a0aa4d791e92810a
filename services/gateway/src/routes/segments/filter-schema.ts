import {
  BALANCES,
  CLIENT_COLUMNS,
  CLIENT_METRICS,
  EVENT_CATEGORIES,
  OPERATORS,
} from '@laurel/contract';
import { Joi, jsonObject, nullable, text, uuid } from '../../schema/types';

const FILTERS_MAX = 50;
const DAYS_MAX = 3_650;
const NAME_MAX = 255;
const CODE_MAX = 50;
const EVENT_TYPE_MAX = 100;
const TIERS_MAX = 100;

/** ADR 7 says how it comes about. */
const PRECISION =
  'Up to 500 amounts of a client are summed exactly. Of one who has more, the newest 100 at least are; before these the beginning of the period may be off by less than an hour in one of up to 2 days, by less than a day in one of up to 100, and by less than a fortieth of a longer one.';

const oneOf = (values: readonly string[]) => Joi.string().valid(...values);
const days = () => Joi.number().integer().min(1).max(DAYS_MAX);
/** Values are checked against the field they compare with, by the service that knows the fields. */
const comparison = { operator: oneOf(OPERATORS).required(), value: Joi.any() };

/** `filter_config` by `filter_type` (part 3, section 11). */
const configs: Readonly<Record<string, Joi.PartialSchemaMap>> = {
  custom_field: {
    custom_field_filters: jsonObject()
      .unknown(false)
      .pattern(text(NAME_MAX, 1), Joi.object(comparison))
      .min(1)
      .max(FILTERS_MAX)
      .required(),
  },
  client_field: { field: oneOf(CLIENT_COLUMNS).required(), ...comparison },
  tier: {
    tier_ids: Joi.alternatives(
      Joi.string().valid('untiered'),
      Joi.array().items(uuid().allow('untiered')).min(1).max(TIERS_MAX),
    ).required(),
    negate: Joi.boolean(),
  },
  wallet_balance: {
    wallet_type_code: text(CODE_MAX, 1).required(),
    balance: oneOf(BALANCES).required(),
    ...comparison,
  },
  metric: {
    metric: oneOf(CLIENT_METRICS).required(),
    period_days: days().description(PRECISION),
    ...comparison,
  },
  event: {
    event_category: oneOf(EVENT_CATEGORIES).required(),
    event_type: text(EVENT_TYPE_MAX, 1),
    within_days: days().required(),
    ...comparison,
  },
  pass: {
    has_pass: Joi.boolean().required(),
    pass_template_ids: Joi.array().items(uuid()).min(1).max(FILTERS_MAX),
    installed: Joi.boolean(),
  },
  segment: { segment_id: uuid().required(), negate: Joi.boolean() },
};

const config = Joi.object()
  .required()
  .when('filter_type', {
    switch: Object.entries(configs).map(([type, members]) => ({
      is: type,
      // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
      then: Joi.object(members),
    })),
  });

export interface FilterBody {
  id?: string | null;
  filter_type: string;
  filter_config: Record<string, never>;
}

export const filters = Joi.array()
  .items(
    Joi.object({
      id: nullable(uuid()),
      filter_type: oneOf(Object.keys(configs)).required(),
      filter_config: config,
    }),
  )
  .max(FILTERS_MAX);
