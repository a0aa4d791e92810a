import {
  bareFieldName,
  DISTRIBUTION_MODES,
  DISTRIBUTION_STATUSES,
  FIELD_TYPES,
} from '@laurel/contract';
import {
  byKey,
  Joi,
  nullable,
  oneLine,
  programmeKey,
  shownKey,
  timestamp,
  uuid,
} from '../../schema/types';

const NAME_MAX = 255;
const FIELDS_MAX = 50;
const OPTIONS_MAX = 200;
const ORIGINS_MAX = 50;
const SUBMISSIONS_MAX = 1_000_000_000;
const URL_MAX = 2_000;
const QR_SIDE = { min: 100, max: 4_000, default: 1_000 };
const ORIGIN = /^(https?):\/\/(\*\.)?(.*)$/i;

/** The types of the data model, and what HTML calls three of them. */
const FORM_FIELD_TYPES = [...FIELD_TYPES, 'textarea', 'checkbox', 'tel'];

export interface FormFieldBody {
  name: string;
  label: string;
  type: string;
  required: boolean;
  options?: string[];
}
export interface DistributionBody {
  key?: string | null;
  workspace_id?: string;
  project_id?: string;
  pass_template_id?: string;
  name?: string;
  delivery_mode?: string;
  status?: string;
  form_fields_config?: FormFieldBody[];
  require_marketing_consent?: boolean;
  allowed_origins?: string[];
  page_enabled?: boolean;
  privacy_url?: string | null;
  terms_url?: string | null;
  starts_at?: string | null;
  ends_at?: string | null;
  submission_limit?: number | null;
}

const FIELD_NAME = /^(custom_fields\.)?[A-Za-z_][A-Za-z0-9_-]*$/;
const isSameField = (one: FormFieldBody | null, other: FormFieldBody | null): boolean =>
  bareFieldName(String(one?.name)) === bareFieldName(String(other?.name));

const options = Joi.array().items(oneLine(NAME_MAX, 1)).max(OPTIONS_MAX).unique();
const formField = Joi.object({
  name: Joi.string().max(80).pattern(FIELD_NAME).required().messages({
    'string.pattern.base':
      '{{#label}} is the name of a client field, of a custom field (with or without custom_fields. in front) or referral_code',
  }),
  label: oneLine(2_000, 1).required(),
  type: Joi.string()
    .valid(...FORM_FIELD_TYPES)
    .default('text'),
  required: Joi.boolean().default(false),
  options: options.when('type', {
    is: 'select',
    // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
    then: options.min(1).required(),
    otherwise: Joi.array().max(0),
  }),
});

/** scheme://host[:port] of a page that may hold the form; *. in front of the host for what is below it; * for any. */
const origin = Joi.string()
  .max(300)
  .custom((value: string, helpers) => {
    if (value === '*') return value;
    const [, scheme, star = '', rest = ''] = ORIGIN.exec(value) ?? [];
    const plain = `${scheme}://${rest}`;
    if (scheme === undefined || rest.includes('*') || !URL.canParse(plain))
      return helpers.error('origin.invalid');
    const url = new URL(plain);
    // What is below a top-level domain belongs to no single owner.
    if (star !== '' && !url.hostname.includes('.')) return helpers.error('origin.invalid');
    const isBare =
      url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
    if (!isBare) return helpers.error('origin.invalid');
    return url.origin.replace('://', `://${star}`);
  })
  .messages({
    'origin.invalid':
      '{{#label}} must be an origin like https://shop.example or https://*.shop.example',
  });

/** An address that a visitor may open. */
const link = () =>
  nullable(
    Joi.string()
      .max(URL_MAX)
      .uri({ scheme: ['http', 'https'] }),
  );

const fields = {
  key: programmeKey(),
  project_id: uuid(),
  pass_template_id: uuid(),
  name: oneLine(NAME_MAX, 1),
  delivery_mode: Joi.string().valid(...DISTRIBUTION_MODES),
  status: Joi.string().valid(...DISTRIBUTION_STATUSES),
  form_fields_config: Joi.array().items(formField).max(FIELDS_MAX).unique(isSameField),
  require_marketing_consent: Joi.boolean(),
  allowed_origins: Joi.array().items(origin).max(ORIGINS_MAX),
  page_enabled: Joi.boolean(),
  privacy_url: link(),
  terms_url: link(),
  starts_at: nullable(timestamp()),
  ends_at: nullable(timestamp()),
  submission_limit: nullable(Joi.number().integer().min(1).max(SUBMISSIONS_MAX)),
};

export const createDistribution = Joi.object<
  DistributionBody & { project_id: string; pass_template_id: string; name: string }
>({
  ...fields,
  workspace_id: uuid(),
  project_id: fields.project_id.required(),
  pass_template_id: fields.pass_template_id.required(),
  name: fields.name.required(),
});
export const updateDistribution = Joi.object<DistributionBody>({
  ...fields,
  workspace_id: uuid(),
});

export const formFields = Joi.array().items(
  Joi.object({
    name: Joi.string().required(),
    label: Joi.string().required(),
    type: Joi.string().required(),
    required: Joi.boolean().required(),
    options: Joi.array().items(Joi.string()),
  }),
);
export const distribution = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  key: shownKey(),
  project_id: uuid().required(),
  pass_template_id: uuid().required(),
  name: Joi.string().required(),
  delivery_mode: fields.delivery_mode.required(),
  status: fields.status.required(),
  form_fields_config: formFields.required(),
  require_marketing_consent: Joi.boolean().required(),
  allowed_origins: Joi.array().items(Joi.string()).required(),
  page_enabled: Joi.boolean().required(),
  privacy_url: nullable(Joi.string()).required(),
  terms_url: nullable(Joi.string()).required(),
  starts_at: nullable(timestamp()).required(),
  ends_at: nullable(timestamp()).required(),
  submission_limit: nullable(Joi.number().integer()).required(),
  public_url: nullable(Joi.string().uri()).required(),
  api_token_prefix: nullable(Joi.string()).required(),
  date_created: timestamp().required(),
  date_updated: timestamp().required(),
  user_created: nullable(uuid()).required(),
  user_updated: nullable(uuid()).required(),
}).meta({ name: 'Distribution' });
export const distributions = Joi.array().items(distribution);

export const readQr = Joi.object<{ format: string; size: number }>({
  format: Joi.string().valid('png', 'svg').default('png'),
  size: Joi.number().integer().min(QR_SIDE.min).max(QR_SIDE.max).default(QR_SIDE.default),
});

export const listDistributions = Joi.object<{ project_id?: string; key?: string }>({
  project_id: uuid(),
  key: byKey(),
});

export const formToken = Joi.object({
  data: Joi.object({
    distribution_id: uuid().required(),
    token: Joi.string().required(),
    prefix: Joi.string().required(),
  }).required(),
  message: Joi.string().required(),
});
