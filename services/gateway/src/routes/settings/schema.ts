import { email, Joi, nullable, text, uuid } from '../../schema/types';

/** Any case; stored in capitals. Whether ISO 4217 names it, identity says. */
export const currency = () =>
  Joi.string()
    .pattern(/^[A-Za-z]{3}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a 3-letter ISO 4217 code' });
export const locale = () =>
  Joi.string()
    .min(2)
    .max(10)
    .pattern(/^[A-Za-z0-9_-]+$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a locale such as en or pl-PL' });

/** Whether it names a zone, identity says. */
const timezone = () => text(100, 1).description('IANA time zone, e.g. Europe/Berlin');

export const updateSettings = Joi.object<{
  default_currency?: string;
  default_locale?: string;
  timezone?: string;
  reply_to?: string | null;
}>({
  default_currency: currency(),
  default_locale: locale(),
  timezone: timezone(),
  reply_to: nullable(email()).description(
    'Where answers to mails of the workspace go; null: to the address of the platform.',
  ),
});

export const settings = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  default_currency: Joi.string().length(3).required(),
  default_locale: Joi.string().required(),
  timezone: Joi.string().required(),
  reply_to: nullable(Joi.string()).description('Left out until it is set for the first time.'),
  date_created: Joi.string().isoDate().required(),
  date_updated: Joi.string().isoDate().required(),
}).meta({ name: 'WorkspaceSettings' });
