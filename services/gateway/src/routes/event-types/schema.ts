import { Joi } from '../../schema/types';

export const eventTypes = Joi.array().items({
  type: Joi.string().required(),
  description: Joi.string().required(),
  webhook: Joi.boolean().required(),
  rule_trigger: Joi.boolean().required(),
});
