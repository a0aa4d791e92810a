import { APP_ACTION_TYPES, APP_FIELD_TYPES } from '@laurel/contract';
import type { Json } from '@laurel/errors';
import { Joi, jsonObject, nullable, oneLine, text, uuid } from '../../schema/types';

const LIST_MAX = 1_000;
const NAME_MAX = 255;
const SORT_ORDER_MAX = 1_000_000;

const ids = Joi.array().items(uuid()).max(LIST_MAX).unique();

export interface AppConfigBody {
  is_enabled?: boolean;
  project_ids?: string[] | null;
  allowed_role_ids?: string[] | null;
  hidden_fields?: string[] | null;
  app_config?: Json;
}
export const appConfig = Joi.object<AppConfigBody>({
  is_enabled: Joi.boolean(),
  project_ids: nullable(ids),
  allowed_role_ids: nullable(ids),
  hidden_fields: nullable(Joi.array().items(text(NAME_MAX, 1)).max(LIST_MAX).unique()),
  app_config: Joi.object({
    primary_color: text(50),
    logo_url: Joi.string()
      .max(2_000)
      .uri({ scheme: ['http', 'https'] }),
    welcome_message: text(500),
    enable_pass_history: Joi.boolean(),
  }),
});

const actionType = Joi.string().valid(...APP_ACTION_TYPES);
const formField = Joi.object({
  name: oneLine(NAME_MAX, 1).required(),
  label: oneLine(NAME_MAX, 1).required(),
  type: Joi.string()
    .valid(...APP_FIELD_TYPES)
    .required(),
  required: Joi.boolean(),
  placeholder: nullable(text(500)),
  default_value: Joi.any(),
  options: nullable(Joi.array().items(Joi.any()).max(LIST_MAX)),
  validation: nullable(jsonObject()),
});

export interface ActionBody {
  name?: string;
  action_type?: string;
  description?: string | null;
  icon?: string | null;
  action_config?: Json;
  form_fields?: Json[];
  is_enabled?: boolean;
  sort_order?: number;
  allowed_role_ids?: string[] | null;
}
const actionFields = {
  name: oneLine(NAME_MAX, 1),
  action_type: actionType,
  description: nullable(text(1_000)),
  icon: nullable(text(100)),
  action_config: jsonObject(),
  form_fields: Joi.array().items(formField).max(100).unique('name'),
  is_enabled: Joi.boolean(),
  sort_order: Joi.number().integer().min(0).max(SORT_ORDER_MAX),
  allowed_role_ids: nullable(ids),
};
export const updateAction = Joi.object<ActionBody>(actionFields);
export const createAction = Joi.object<ActionBody>({
  ...actionFields,
  name: actionFields.name.required(),
  action_type: actionType.required(),
});
export const reorderActions = Joi.object<{ action_ids: string[] }>({
  action_ids: Joi.array().items(uuid()).max(LIST_MAX).required(),
});

export const action = Joi.object({
  id: uuid().required(),
  mobile_app_config_id: uuid().required(),
  name: Joi.string().required(),
  action_type: actionType.required(),
  description: nullable(Joi.string().allow('')).required(),
  icon: nullable(Joi.string().allow('')).required(),
  action_config: Joi.object().unknown(true).required(),
  form_fields: Joi.array().items(formField).required(),
  is_enabled: Joi.boolean().required(),
  sort_order: Joi.number().integer().required(),
  allowed_role_ids: nullable(Joi.array().items(uuid())).required(),
}).meta({ name: 'StaffAppAction' });
export const actions = Joi.array().items(action);
export const positions = Joi.array().items(
  Joi.object({ id: uuid().required(), sort_order: Joi.number().integer().required() }),
);

export const configColumns = {
  id: uuid().required(),
  workspace_id: uuid().required(),
  is_enabled: Joi.boolean().required(),
  project_ids: nullable(Joi.array().items(uuid())).required(),
  allowed_role_ids: nullable(Joi.array().items(uuid())).required(),
  hidden_fields: nullable(Joi.array().items(Joi.string())).required(),
  app_config: Joi.object({
    primary_color: Joi.string().allow(''),
    logo_url: Joi.string(),
    welcome_message: Joi.string().allow(''),
    enable_pass_history: Joi.boolean(),
  }).required(),
};
export const config = Joi.object({ ...configColumns, actions: actions.required() }).meta({
  name: 'StaffAppConfig',
});
export const configOrNull = config.allow(null);
