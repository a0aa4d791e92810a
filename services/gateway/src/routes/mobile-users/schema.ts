import { MOBILE_USER_STATUSES } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { email, Joi, jsonObject, nullable, page, text, uuid } from '../../schema/types';
import { personName } from '../auth/schema';

const PHONE_LENGTH_MAX = 50;
const statuses = () => Joi.string().valid(...MOBILE_USER_STATUSES);
const moment = () => nullable(Joi.string().isoDate()).required();
const fields = {
  email: nullable(email()),
  phone: nullable(text(PHONE_LENGTH_MAX, 1)),
  first_name: personName(),
  last_name: personName(),
  metadata: jsonObject(),
};

interface MobileUserFields {
  email?: string | null;
  phone?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  metadata?: JsonObject;
}

export const listMobileUsers = Joi.object<{
  limit: number;
  offset?: number;
  search?: string;
  status?: string;
}>({
  ...page({ limitMax: 1_000, limitDefault: 50 }),
  search: text(255),
  status: statuses(),
});

/** As it is shown, so null says the same as nothing; that one of the two is there is the service's to see. */
export const createMobileUser = Joi.object<MobileUserFields>(fields).or('email', 'phone');

export const updateMobileUser = Joi.object<MobileUserFields & { status?: string }>({
  ...fields,
  status: statuses(),
});

export const mobileUser = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  email: nullable(Joi.string()).required(),
  phone: nullable(Joi.string()).required(),
  first_name: nullable(Joi.string()).required(),
  last_name: nullable(Joi.string()).required(),
  status: statuses().required(),
  linked_user_id: nullable(uuid()).required(),
  paired_at: moment(),
  last_login: moment().description(
    'When a device of theirs was paired or used last, to a minute or two.',
  ),
  metadata: Joi.object().unknown(true).required(),
  date_created: Joi.string().isoDate().required(),
}).meta({ name: 'StaffUser' });
export const mobileUsers = Joi.array().items(mobileUser);

export const sendCode = Joi.object<{ delivery_method: string }>({
  delivery_method: Joi.string().valid('sms', 'email', 'both', 'none').default('email'),
});
export const sentCode = Joi.object({
  message: Joi.string().required(),
  pairing_code_id: uuid().required(),
  delivery_results: Joi.array()
    .items(Joi.object({ channel: Joi.string().required(), status: Joi.string().required() }))
    .required(),
  expires_at: Joi.string().isoDate().required(),
  code: Joi.string()
    .pattern(/^\d{6}$/)
    .description('only with delivery_method none'),
});

export const session = Joi.object({
  id: uuid().required(),
  mobile_app_user_id: uuid().required(),
  workspace_id: uuid().required(),
  device_name: nullable(Joi.string()).required(),
  device_os: nullable(Joi.string()).required(),
  last_active_at: Joi.string().isoDate().required(),
  expires_at: Joi.string().isoDate().required(),
  revoked_at: moment(),
});
export const sessions = Joi.array().items(session);

export const fromWorkspaceUser = Joi.object<{ workspace_user_id: string }>({
  workspace_user_id: uuid().required(),
});

export const linkableUsers = Joi.array().items(
  Joi.object({
    id: uuid().required(),
    email: Joi.string().required(),
    first_name: nullable(Joi.string()).required(),
    last_name: nullable(Joi.string()).required(),
  }),
);
