import { Joi, nullable, timestamp, uuid } from '../../schema/types';

const mode = Joi.string().valid('create', 'upsert');

export const importQuery = Joi.object<{ mode: string }>({ mode: mode.default('create') });

export const importJob = Joi.object({
  id: uuid().required(),
  status: Joi.string().valid('pending', 'running', 'completed', 'failed', 'cancelled').required(),
  mode: mode.required(),
  total: Joi.number().integer().required(),
  processed: Joi.number().integer().required(),
  created: Joi.number().integer().required(),
  updated: Joi.number().integer().required(),
  failed: Joi.number().integer().required(),
  errors: Joi.array()
    .items({ row: Joi.number().integer().required(), message: Joi.string().required() })
    .required(),
  date_created: timestamp().required(),
  started_at: nullable(timestamp()).required(),
  finished_at: nullable(timestamp()).required(),
}).meta({ name: 'ClientImportJob' });
