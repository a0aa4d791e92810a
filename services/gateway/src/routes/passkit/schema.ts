import { Joi } from '../../schema/types';

const NAME_MAX = 255;
const TOKEN_MAX = 1_000;
const LOGS_MAX = 100;
const LOG_MAX = 10_000;

/** Names that devices choose; a serial number that is no pass id is refused like a wrong token. */
export const params = {
  device: Joi.string().max(NAME_MAX),
  passType: Joi.string().max(NAME_MAX),
  serialNumber: Joi.string().max(NAME_MAX),
};

export const registration = Joi.object<{ pushToken: string }>({
  pushToken: Joi.string().min(1).max(TOKEN_MAX).required(),
}).unknown(true);

export const changedSince = Joi.object<{ passesUpdatedSince?: string }>({
  passesUpdatedSince: Joi.string().max(NAME_MAX).allow(''),
}).unknown(true);

export const log = Joi.object<{ logs: string[] }>({
  logs: Joi.array().items(Joi.string().allow('').max(LOG_MAX)).max(LOGS_MAX).required(),
}).unknown(true);

export const changed = Joi.object({
  serialNumbers: Joi.array().items(Joi.string()).required(),
  lastUpdated: Joi.string().required(),
});
