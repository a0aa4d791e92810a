import { Joi, jsonObject, nullable, oneLine, uuid } from '../../schema/types';

export interface ConfigBody {
  program_name?: string | null;
  program_currency?: string;
  settings?: Record<string, never>;
}

const fields = {
  program_name: nullable(oneLine(255)),
  program_currency: oneLine(50, 1),
  settings: jsonObject(),
};

export const config = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  program_name: nullable(Joi.string()).required(),
  program_currency: Joi.string().required(),
  settings: Joi.object().required(),
  date_created: Joi.string().isoDate().required(),
  date_updated: Joi.string().isoDate().required(),
}).meta({ name: 'LoyaltyConfig' });
export const configOrNull = nullable(config);

export const writeConfig = Joi.object<ConfigBody>(fields);
