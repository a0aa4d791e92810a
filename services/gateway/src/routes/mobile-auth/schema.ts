import { Joi, nullable, oneLine, text, uuid } from '../../schema/types';
import { tokens } from '../auth/schema';
import { mobileUser, session } from '../mobile-users/schema';

export { messageOnly, refresh } from '../auth/schema';

export const pair = Joi.object<{
  identifier: string;
  code: string;
  device_name?: string | null;
  device_os?: string | null;
}>({
  identifier: text(255, 1).required(),
  code: text(20, 1).required(),
  device_name: nullable(oneLine(255)),
  device_os: nullable(oneLine(255)),
});

const workspace = Joi.object({
  id: uuid().required(),
  name: Joi.string().required(),
  slug: Joi.string().required(),
}).required();

export const mobileTokens = tokens
  .append({ user: mobileUser.required(), workspace })
  .meta({ name: 'StaffAppTokens' });

export const me = Joi.object({
  user: mobileUser.required(),
  workspace,
  role: Joi.string().valid('admin', 'member').required(),
  role_id: uuid().required(),
  session: session.required(),
});
