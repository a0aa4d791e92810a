import { Joi, uuid } from '../../schema/types';

export interface PreviewQuery {
  client_id?: string;
  platform: 'apple' | 'google';
  format: 'png' | 'json';
}
export const preview = Joi.object<PreviewQuery>({
  client_id: uuid(),
  platform: Joi.string().valid('apple', 'google').default('apple'),
  format: Joi.string().valid('png', 'json').default('png'),
});
export const drawn = Joi.object().unknown(true);

const readiness = Joi.object({
  ready: Joi.boolean().required(),
  missing: Joi.array().items(Joi.string()).required(),
}).required();
export const walletStatus = Joi.object({ apple: readiness, google: readiness }).meta({
  name: 'WalletStatus',
});
