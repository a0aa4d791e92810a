import { dateOrTimestamp, Joi, jsonObject, timestamp, toDate, uuid } from '../../schema/types';
import { exportQuery } from '../client-export/schema';

const period = { from_date: dateOrTimestamp(), to_date: toDate() };

/** What each kind takes: as the operation behind it. */
const PARAMS = {
  customers: exportQuery.keys({ format: Joi.string().valid('ndjson', 'csv').default('csv') }),
  ledger: Joi.object(period),
  statement: Joi.object({ client_id: uuid().required(), ...period }),
  redemptions: Joi.object({ client_id: uuid(), reward_id: uuid(), ...period }),
  person: Joi.object({ client_id: uuid().required() }),
} as const;
export type Kind = keyof typeof PARAMS;

export const paramsOf = (kind: Kind) => Joi.object({ params: PARAMS[kind] });

export const newDownload = Joi.object<{ kind: Kind; params: Record<string, unknown> }>({
  kind: Joi.string()
    .valid(...Object.keys(PARAMS))
    .required(),
  params: jsonObject()
    .default({})
    .description(
      'For customers: the parameters of clients/export. For the others: from_date and to_date. A statement and a person need a client_id; redemptions may have one, and a reward_id.',
    ),
});

export const opened = Joi.object({
  url: Joi.string().uri().required().description('To be opened once, without any header.'),
  expires_at: timestamp().required(),
}).meta({ name: 'Download' });

export const token = Joi.string().pattern(/^[\w-]{43}$/);
