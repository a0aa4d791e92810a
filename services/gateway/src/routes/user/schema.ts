import { Joi } from '../../schema/types';
import { givenPassword, newPassword, personName } from '../auth/schema';

export { messageOnly, user } from '../auth/schema';

export const updateUser = Joi.object<{
  first_name?: string | null;
  last_name?: string | null;
  password?: string;
  current_password?: string;
}>({
  first_name: personName(),
  last_name: personName(),
  password: newPassword(),
  current_password: givenPassword(),
}).and('password', 'current_password');

export const hasToken = Joi.object({ has_token: Joi.boolean().required() });
export const newToken = Joi.object({
  message: Joi.string().required(),
  token: Joi.string().length(64).hex().required(),
});
