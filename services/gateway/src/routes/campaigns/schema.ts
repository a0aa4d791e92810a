import {
  CAMPAIGN_ACTION_STATUSES,
  CAMPAIGN_ACTION_TYPES,
  CAMPAIGN_MEMBER_STATUSES,
  CAMPAIGN_SHORTFALLS,
  CAMPAIGN_STATUSES,
} from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import {
  byKey,
  dateOrTimestamp,
  Joi,
  jsonObject,
  nullable,
  OFFSET_MAX,
  oneLine,
  page,
  programmeKey,
  shownKey,
  text,
  timestamp,
  uuid,
} from '../../schema/types';

const NAME_MAX = 255;
const DESCRIPTION_MAX = 2_000;
const CLIENTS_MAX = 10_000;
const ACTIONS_MAX = 1_000;
const SORT_MAX = 1_000_000;

export const status = Joi.string().valid(...CAMPAIGN_STATUSES);
const actionType = Joi.string().valid(...CAMPAIGN_ACTION_TYPES);

export interface CampaignBody {
  key?: string | null;
  name: string;
  description?: string | null;
  scheduled_at?: string | null;
  segment_id?: string | null;
  manual_client_ids?: string[] | null;
}

const fields = {
  key: programmeKey(),
  name: oneLine(NAME_MAX, 1),
  description: nullable(text(DESCRIPTION_MAX)),
  scheduled_at: nullable(timestamp()),
  segment_id: nullable(uuid()),
  manual_client_ids: nullable(Joi.array().items(uuid()).max(CLIENTS_MAX)),
};

export const createCampaign = Joi.object<CampaignBody>({
  ...fields,
  name: fields.name.required(),
});
export const updateCampaign = Joi.object<Partial<CampaignBody> & { workspace_id?: unknown }>({
  ...fields,
  workspace_id: Joi.any().strip(),
});
export const duplicateCampaign = Joi.object<{ name?: string; include_actions?: boolean }>({
  name: fields.name,
  include_actions: Joi.boolean(),
});
export const scheduleCampaign = Joi.object<{ scheduled_at?: string }>({
  scheduled_at: timestamp(),
});

export const campaign = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  key: shownKey(),
  name: Joi.string().required(),
  description: nullable(Joi.string().allow('')).required(),
  status: status.required(),
  segment_id: nullable(uuid()).required(),
  manual_client_ids: Joi.array().items(uuid()).required(),
  scheduled_at: nullable(timestamp()).required(),
  started_at: nullable(timestamp()).required(),
  completed_at: nullable(timestamp()).required(),
  cancelled_at: nullable(timestamp()).required(),
  date_created: timestamp().required(),
  date_updated: timestamp().required(),
}).meta({ name: 'Campaign' });
export const campaigns = Joi.array().items(campaign);

export const listCampaigns = Joi.object<{ limit?: number; offset: number; key?: string }>({
  limit: Joi.number().integer().min(1).max(1_000),
  offset: Joi.number().integer().min(0).max(OFFSET_MAX).default(0),
  key: byKey(),
});

export interface CalendarQuery {
  workspace_id: string;
  start?: string;
  end?: string;
  status?: string;
}
export const listCalendar = Joi.object<CalendarQuery>({
  workspace_id: uuid().required(),
  start: dateOrTimestamp(),
  end: dateOrTimestamp(),
  status,
});

/** How many. */
export const figure = Joi.number().integer().min(0).required();
export const summary = Joi.object({
  draft: figure,
  scheduled: figure,
  active: figure,
  completed: figure,
  cancelled: figure,
});

const sort = Joi.number().integer().min(0).max(SORT_MAX);
const actionConfig = jsonObject().description(
  'push_notification { notification_message }, template_switch { target_template_id, duration_days? }, ' +
    'custom_field_update { custom_field_updates }, give_reward { reward_ids }, assign_tier { tier_id, duration_days? }',
);

export const createAction = Joi.object<{
  action_type: string;
  action_config: JsonObject;
  sort?: number;
}>({
  action_type: actionType.required(),
  action_config: actionConfig.required(),
  sort,
});
export const updateAction = Joi.object<{ action_config?: JsonObject; sort?: number }>({
  action_config: actionConfig,
  sort,
});
export const reorderActions = Joi.object<{ action_ids: string[] }>({
  action_ids: Joi.array().items(uuid()).min(1).max(ACTIONS_MAX).required(),
});

const actionStatus = Joi.string().valid(...CAMPAIGN_ACTION_STATUSES);
export const action = Joi.object({
  id: uuid().required(),
  campaign_id: uuid().required(),
  action_type: actionType.required(),
  action_config: Joi.object().unknown(true).required(),
  status: actionStatus.required(),
  sort: Joi.number().required(),
  executed_at: nullable(timestamp()).required(),
  error_message: nullable(Joi.string()).required(),
  date_created: timestamp().required(),
}).meta({ name: 'CampaignAction' });
export const actions = Joi.array().items(action);
export const actionPositions = Joi.array().items(
  Joi.object({ id: uuid().required(), sort: Joi.number().required() }),
);
export const deletedAction = Joi.object({
  success: Joi.boolean().required(),
  message: Joi.string().required(),
});
export const executedAction = Joi.object({
  id: uuid().required(),
  status: actionStatus.required(),
  executed_at: nullable(timestamp()).required(),
});

export const preview = Joi.object<{ limit: number }>({
  limit: Joi.number().integer().min(1).max(1_000).default(100),
});
export const listMembers = Joi.object<{ limit: number; offset?: number }>(
  page({ limitMax: 1_000, limitDefault: 100 }),
);
export const listErrors = Joi.object<{ limit: number; offset?: number }>(
  page({ limitMax: 1_000, limitDefault: 1_000 }),
);

const person = {
  first_name: nullable(Joi.string().allow('')).required(),
  last_name: nullable(Joi.string().allow('')).required(),
  email: nullable(Joi.string()).required(),
};
const failure = {
  id: uuid().required(),
  pass_id: nullable(uuid()).required(),
  client_id: uuid().required(),
  status: Joi.string()
    .valid(...CAMPAIGN_MEMBER_STATUSES)
    .required(),
  error_message: nullable(Joi.string()).required(),
  ...person,
  processed_at: nullable(timestamp()).required(),
};
export const failures = Joi.array().items(Joi.object(failure));
export const members = Joi.array().items(
  Joi.object({
    ...failure,
    project_id: nullable(uuid()).required(),
    pass_template_id: nullable(uuid()).required(),
    outcomes: Joi.array()
      .items(
        Joi.object({
          campaign_action_id: uuid().required(),
          result: Joi.string().valid('completed', 'failed', 'unreachable').required(),
        }),
      )
      .required(),
  }),
);
export const unreachable = Joi.array().items(
  Joi.object({ client_id: uuid().required(), ...person }),
);

export const measureReachability = Joi.object<{ client_ids: string[] }>({
  client_ids: Joi.array().items(uuid()).max(CLIENTS_MAX).required(),
});
export const reachability = Joi.object({ total: figure, reachable: figure, unreachable: figure });

export const estimate = Joi.object({
  total: figure,
  reachable: figure,
  consenting: figure,
  by_action: Joi.array()
    .items(
      Joi.object({
        action_id: uuid().required(),
        customers: figure.description('at most so many get all that the action gives'),
        points: nullable(Joi.number())
          .required()
          .description(
            'what the rewards would cost whoever paid for them; null beyond the range of amounts',
          ),
        coupons_needed: figure,
        coupons_left: nullable(Joi.number().integer())
          .required()
          .description('imported codes; null where no reward needs one'),
        shortfalls: Joi.array()
          .items(
            Joi.object({
              reason: Joi.string()
                .valid(...CAMPAIGN_SHORTFALLS)
                .required(),
              customers: figure,
              reward_id: nullable(uuid()).required(),
            }),
          )
          .required(),
      }),
    )
    .required(),
}).meta({ name: 'CampaignEstimate' });
