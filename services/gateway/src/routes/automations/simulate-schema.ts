import { REFUND_LINKS, SKIP_REASONS, UNFORETOLD_REASONS } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { amount, Joi, jsonObject, nullable, text, timestamp, uuid } from '../../schema/types';
import { type DraftBody, draftRule, LIST_MAX, triggerType } from './rule-schema';

const TEXT_MAX = 2_000;
const DRAFTS_MAX = 50;

export const syntheticEvent = Joi.object({
  trigger_type: triggerType.required(),
  event_type: text(100, 1).required(),
  amount: nullable(amount()),
  currency: nullable(Joi.string().length(3)),
  field_name: nullable(text(100, 1)),
  old_value: nullable(text(TEXT_MAX)),
  new_value: nullable(text(TEXT_MAX)),
  role: nullable(Joi.string().valid('referrer', 'referee')),
  metadata: jsonObject(),
  event_timestamp: timestamp(),
});

export interface SimulateBody {
  client_id: string;
  event: {
    trigger_type: string;
    event_type: string;
    amount?: number | null;
    currency?: string | null;
    field_name?: string | null;
    old_value?: string | null;
    new_value?: string | null;
    role?: string | null;
    metadata?: JsonObject;
    event_timestamp?: string;
    original_external_id?: string;
  };
  rule_ids?: string[];
  rules?: DraftBody[];
  now?: string;
}

export const simulate = Joi.object<SimulateBody>({
  client_id: uuid().required(),
  event: syntheticEvent
    .keys({
      original_external_id: text(255, 1).description('Of a refund: the sale that it gives back.'),
    })
    .required(),
  rule_ids: Joi.array()
    .items(uuid())
    .max(LIST_MAX)
    .unique()
    .description('Of the saved rules only these, none where it is empty.'),
  rules: Joi.array()
    .items(draftRule)
    .max(DRAFTS_MAX)
    .unique('id', { ignoreUndefined: true })
    .description('Rules that are not saved, in the form of a new rule and checked like one.'),
  now: timestamp().description(
    'The moment by which all is judged, past or to come: windows, weekdays, birthdays, limits per day, balances and what expires by then. Now, if it is left out.',
  ),
});
const plannedEffect = Joi.object({
  type: Joi.string().required(),
  summary: Joi.string().required(),
  points: amount(),
  wallet_type_code: Joi.string(),
  reward_id: uuid(),
  tier_id: uuid(),
});
const judged = Joi.array()
  .items(
    Joi.object({
      index: Joi.number().integer().required(),
      holds: Joi.boolean().required(),
      actual: Joi.any().required(),
      wanted: Joi.any().required(),
    }),
  )
  .required()
  .description(
    'Each condition by itself: what was found, and what would have to be. Those that the rule does not come to are looked at as well, unless formulas took too long for that.',
  );
const draftIndex = Joi.number()
  .integer()
  .description('Of a rule that is not saved: its place in `rules`.');
const matchedRule = Joi.object({
  rule_id: uuid().required(),
  draft_index: draftIndex,
  name: Joi.string().required(),
  priority: Joi.number().required(),
  effects: Joi.array().items(plannedEffect).required(),
  points: amount().required(),
  conditions: judged,
});
export const simulation = Joi.object({
  matched: Joi.array().items(matchedRule).required(),
  skipped: Joi.array()
    .items(
      Joi.object({
        rule_id: uuid().required(),
        name: Joi.string().required(),
        reason: Joi.string()
          .valid(...SKIP_REASONS)
          .required(),
        detail: Joi.string().required(),
        conditions: judged,
        draft_index: draftIndex,
      }),
    )
    .required(),
  total_points: amount().required().description('Of the rules that match the event itself.'),
  following: Joi.array()
    .items(
      matchedRule.keys({
        trigger_type: Joi.string().required(),
        event_type: Joi.string().required(),
        caused_by_rule_id: nullable(uuid()).required(),
      }),
    )
    .required()
    .description(
      'Rules that would fire over what those before them would do: points, rewards, fields and tiers that effects give or take, tiers that are reached or lost by points and sales, and a referral that is completed, down to the depth at which chains end.',
    ),
  is_cut: Joi.boolean()
    .required()
    .description(
      'More would follow than `following` tells, or may, where formulas took too long to ask all rules.',
    ),
  approximations: Joi.array()
    .items(Joi.string().valid('tier', 'segments', 'client_fields'))
    .required()
    .description(
      'What rules look at that could only be told as it is at present: of segments also without `now`, since who is in them may be another once the event has happened.',
    ),
  not_foretold: Joi.array()
    .items(
      Joi.object({
        rule_id: uuid().required(),
        name: Joi.string().required(),
        draft_index: draftIndex,
        trigger_type: Joi.string().required(),
        event_type: Joi.string().required(),
        reason: Joi.string()
          .valid(...UNFORETOLD_REASONS)
          .required(),
      }),
    )
    .required()
    .description(
      'Rules that may fire besides and are not among `following`: over a referral that is completed for the client who brought this one (`another_client`), or over a card whose template changes (`cards`).',
    ),
  refund: Joi.object({
    link: Joi.string()
      .valid(...REFUND_LINKS)
      .required(),
    left: amount().description(
      'What can still be given back of its sales, also where the refund is of more; absent where it names none that there is.',
    ),
    taken: Joi.array()
      .items(
        Joi.object({
          wallet_type_code: Joi.string().required(),
          points: amount().required().description('Below zero.'),
        }),
      )
      .required(),
  }).description(
    'Of a refund that names its sale: what of its points would be taken back, whatever rules say. Rules are judged as if it had been.',
  ),
});
