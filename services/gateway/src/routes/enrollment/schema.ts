import type { Json } from '@laurel/errors';
import { email, Joi, jsonObject, nullable, oneLine, uuid } from '../../schema/types';
import { formFields } from '../distributions/schema';

const PHONE_MAX = 50;
const TOKEN_MAX = 500;
const CUSTOM_FIELDS_MAX = 200;

const trimmed = (schema: Joi.StringSchema) => schema.custom((value: string) => value.trim());

export interface SubmitBody {
  email: string;
  first_name: string;
  last_name?: string | null;
  phone?: string | null;
  marketing_consent?: boolean;
  custom_fields?: Json;
  referral_code?: unknown;
}

const answers = {
  email: email().required(),
  first_name: oneLine(255, 1)
    .custom((value: string, helpers) => value.trim() || helpers.error('string.empty'))
    .required(),
  last_name: nullable(oneLine(255)),
  // Its length counts without the spaces around it.
  phone: nullable(trimmed(Joi.string().allow('')).max(PHONE_MAX)),
  marketing_consent: Joi.boolean(),
  // Which fields it takes is the form's to say; no visitor needs more than it can ask.
  custom_fields: jsonObject().max(CUSTOM_FIELDS_MAX),
  // Whatever it is, it never fails the enrollment.
  referral_code: Joi.any(),
};

export const submit = Joi.object<SubmitBody>(answers);
export const submitToPage = Joi.object<SubmitBody & { distribution_id: string }>({
  distribution_id: uuid().required(),
  ...answers,
});

export const confirm = Joi.object<{ token: string }>({
  token: Joi.string().min(1).max(TOKEN_MAX).required(),
});

export const token = Joi.string().max(TOKEN_MAX);

export const config = Joi.object({
  data: Joi.object({
    id: uuid().required(),
    status: Joi.string().required(),
    delivery_mode: Joi.string().required(),
    form_fields_config: formFields.required(),
    privacy_url: nullable(Joi.string().uri()).required(),
    terms_url: nullable(Joi.string().uri()).required(),
    workspace: Joi.object({
      id: uuid().required(),
      name: Joi.string().required(),
      slug: Joi.string().required(),
    }).required(),
  }).required(),
  success: Joi.boolean().required(),
});

export const enrollment = Joi.object({
  data: Joi.object({
    pass_id: nullable(uuid()).required(),
    apple_pass_url: nullable(Joi.string().uri()).required(),
    google_pass_url: nullable(Joi.string().uri()).required(),
    client_token: nullable(Joi.string()).required(),
  }).required(),
  isResend: Joi.boolean().required(),
  emailSent: Joi.boolean().required(),
  message: Joi.string().required(),
  success: Joi.boolean().required(),
  referral: Joi.object({ outcome: Joi.string().required() }),
}).meta({ name: 'Enrollment' });

export const notByGet = Joi.object({
  success: Joi.boolean().valid(false).required(),
  error: Joi.string().required(),
});
