import { day, Joi, nullable, timestamp, uuid } from '../../schema/types';
import { figure, status } from './schema';

const DAYS_AFTER_MAX = 90;
const responseFigures = {
  returned: figure.description('did something by themselves: a purchase, a visit, a custom event'),
  redeemed: figure.description('took a reward that no campaign gave'),
  spent: Joi.number().required(),
};
export const readStatistics = Joi.object<{ within_days?: number }>({
  within_days: Joi.number()
    .integer()
    .min(1)
    .max(DAYS_AFTER_MAX)
    .description(
      'Also tells what the clients whom the campaign reached did within so many days after it began.',
    ),
});
export const statistics = Joi.object({
  campaign_id: uuid().required(),
  status: status.required(),
  total_targeted: figure,
  audience_pending: figure,
  audience_processing: figure,
  audience_completed: figure,
  audience_failed: figure,
  audience_unreachable: figure,
  actions_total: figure,
  actions_pending: figure,
  actions_completed: figure,
  actions_failed: figure,
  rewards_issued: figure,
  tiers: Joi.array()
    .items(
      Joi.object({
        tier_id: uuid().required(),
        tier_name: nullable(Joi.string()).required(),
        tier_color: nullable(Joi.string()).required(),
        total: figure,
        completed: figure,
        failed: figure,
      }),
    )
    .required(),
  scheduled_at: nullable(timestamp()).required(),
  started_at: nullable(timestamp()).required(),
  completed_at: nullable(timestamp()).required(),
  after: nullable(
    Joi.object({
      within_days: Joi.number().integer().required(),
      until: timestamp().required().description('the end of those days, or now'),
      ...responseFigures,
      buckets: Joi.array()
        .items(Joi.object({ date: day().required(), ...responseFigures }))
        .required()
        .description('by day of the time zone of the workspace; each client counts once a day'),
    }),
  ).description(
    'With within_days; null before the campaign began, and while figures of many clients are still counted. It may lag by a minute.',
  ),
});
export const actionStats = Joi.array().items(
  Joi.object({
    campaign_action_id: uuid().required(),
    attempted: figure,
    completed: figure,
    failed: figure,
    unreachable: figure,
  }),
);
