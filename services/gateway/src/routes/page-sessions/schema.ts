import { Joi, uuid } from '../../schema/types';
import { user } from '../auth/schema';
import { mobileTokens } from '../mobile-auth/schema';

export { login, messageOnly } from '../auth/schema';
export { pair } from '../mobile-auth/schema';

const access = {
  access_token: Joi.string().required(),
  expires: Joi.number().integer().required().description('milliseconds'),
};

export const session = Joi.object({ ...access, user: user.required() });

export const tillSession = Joi.object({
  ...access,
  user: mobileTokens.extract('user'),
  workspace: Joi.object({
    id: uuid().required(),
    name: Joi.string().required(),
    slug: Joi.string().required(),
  }).required(),
});

export const options = Joi.object({
  registration: Joi.string().valid('open', 'invited').required(),
  sso: Joi.array().items(Joi.string().valid('google')).required(),
  bootstrap_pending: Joi.boolean()
    .required()
    .description('the first account is made and its password not set yet'),
});
