import { Joi, page, uuid } from '../../schema/types';

export const checkpoint = Joi.object({
  id: uuid().required(),
  at: Joi.string().isoDate().required(),
  wallets: Joi.number().integer().required(),
  root: Joi.string().hex().length(64).required(),
  signature: Joi.string().base64().required(),
  key_id: Joi.string().required(),
  workspace_id: uuid().required(),
  public_key: Joi.string().required(),
}).meta({ name: 'Checkpoint' });
export const checkpoints = Joi.array().items(checkpoint);

export const listCheckpoints = Joi.object<{ limit: number; offset?: number }>(
  page({ limitMax: 1_000, limitDefault: 50 }),
);
