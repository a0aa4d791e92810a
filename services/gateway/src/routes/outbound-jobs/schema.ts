import { OUTBOUND_JOB_STATUSES } from '@laurel/contract';
import { Joi, nullable, text, timestamp, uuid } from '../../schema/types';

const status = Joi.string().valid(...OUTBOUND_JOB_STATUSES);

export const listOutboundJobs = Joi.object<{
  status?: string;
  provider?: string;
  limit: number;
  cursor?: string;
}>({
  status,
  provider: text(100, 1),
  limit: Joi.number().integer().min(1).max(1_000).default(50),
  cursor: Joi.string().max(500),
});

export const outboundJob = Joi.object({
  id: uuid().required(),
  provider: Joi.string().required(),
  client_id: uuid().required(),
  action: Joi.string().valid('upsert_customer', 'delete_customer').required(),
  status: status.required(),
  attempts: Joi.number().integer().required(),
  external_id: nullable(Joi.string()).required(),
  last_error: nullable(Joi.string()).required(),
  next_attempt_at: nullable(timestamp()).required(),
  date_updated: timestamp().required(),
});
export const outboundJobs = Joi.array().items(outboundJob);
