import { PERIODS, type Period } from '@laurel/contract';
import { day, Joi, nullable, toDay, uuid } from '../../schema/types';

export interface OverviewQuery {
  from_date?: string;
  to_date?: string;
  group_by: Period;
  compare?: 'previous' | 'year';
}

export const query = Joi.object<OverviewQuery>({
  from_date: day().description(
    'First day, by the calendar of the workspace; 29 days before to_date.',
  ),
  to_date: toDay().description('Last day, by the calendar of the workspace; today.'),
  group_by: Joi.string()
    .valid(...PERIODS)
    .default('day'),
  compare: Joi.string()
    .valid('previous', 'year')
    .description(
      'Also the figures of as many days right before, or of the same days a year before.',
    ),
});

const PENDING = 'Null while it is still being counted: ask again in a moment.';
const count = () => nullable(Joi.number().integer().min(0)).required().description(PENDING);
/** What all customers come to may be beyond the range of one amount. */
const figure = () => nullable(Joi.number()).required().description(PENDING);
const date = () => day().required().description('First day of the bucket; weeks start on Monday.');

const flows = {
  issued: figure().description(
    `Given to customers, less what was taken back or corrected. ${PENDING}`,
  ),
  used: figure().description(`Spent by customers, less what was given back. ${PENDING}`),
  expired: figure().description(`Lapsed, what erased customers left behind included. ${PENDING}`),
};
const owed = () =>
  figure().description(
    `What all wallets held at the end, pending and locked included: owed before + issued - used - expired. ${PENDING}`,
  );

const currency = { wallet_type_code: Joi.string().required(), ...flows, owed: owed() };
const pastFigures = Joi.object({
  from_date: day().required(),
  to_date: day().required(),
  customers: nullable(Joi.object({ new: count(), active: count() })).required(),
  currencies: nullable(Joi.array().items(Joi.object(currency))).required(),
  redemptions: nullable(Joi.object({ count: count() })).required(),
  passes: nullable(Joi.object({ new: count() })).required(),
});

export const overview = Joi.object({
  customers: nullable(
    Joi.object({
      total: Joi.number().integer().required(),
      new: count(),
      active: count().description(
        `Customers with a purchase, a visit or an event of the workspace's own in the range. ${PENDING}`,
      ),
      buckets: Joi.array()
        .items(Joi.object({ date: date(), new: count(), active: count() }))
        .required(),
    }),
  ).required(),
  currencies: nullable(
    Joi.array().items(
      Joi.object({
        ...currency,
        pending: figure().description(`The part of owed that is not active yet. ${PENDING}`),
        buckets: Joi.array()
          .items(Joi.object({ date: date(), ...flows, owed: owed() }))
          .required(),
      }),
    ),
  ).required(),
  redemptions: nullable(
    Joi.object({
      count: count().description(`Made in the range, whatever became of them. ${PENDING}`),
      buckets: Joi.array()
        .items(Joi.object({ date: date(), count: count() }))
        .required(),
    }),
  ).required(),
  passes: nullable(
    Joi.object({
      total: Joi.number().integer().required(),
      apple: Joi.number().integer().required(),
      google: Joi.number().integer().required(),
      new: count(),
      buckets: Joi.array()
        .items(Joi.object({ date: date(), new: count() }))
        .required(),
    }),
  ).required(),
  tiers: nullable(
    Joi.array().items(
      Joi.object({
        tier_id: nullable(uuid()).required().description('Null: enrolled and in no tier.'),
        count: Joi.number().integer().required(),
      }),
    ),
  ).required(),
  previous: nullable(pastFigures).required(),
}).meta({ name: 'Overview' });

export const meta = Joi.object({
  from_date: day().required(),
  to_date: day().required(),
  timezone: Joi.string().required().description('Whose days these are.'),
  missing: Joi.array()
    .items(Joi.string())
    .required()
    .description('Parts that are null because the service that knows does not answer.'),
});
