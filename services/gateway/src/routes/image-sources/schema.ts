import { Joi, nullable, text, uuid } from '../../schema/types';

const SOURCE_MAX = 2_048;

export const previewImageSource = Joi.object<{ raw: string }>({ raw: text(SOURCE_MAX).required() });
export const imageSourcePreview = Joi.object({
  kind: Joi.string().valid('uuid', 'url', 'custom_field', 'empty').required(),
  raw: Joi.string().allow('').required(),
  url: nullable(Joi.string()).required(),
  previewUrl: nullable(Joi.string()).required(),
  cachedFileId: nullable(uuid()).required(),
  valid: Joi.boolean().required(),
  reason: Joi.string(),
});

export const refreshImageSource = Joi.object<{ sourceUrl: string }>({
  sourceUrl: Joi.string()
    .max(SOURCE_MAX)
    .uri({ scheme: ['http', 'https'] })
    .required()
    .messages({
      'string.uri': '{{#label}} must be an http or https URL',
      'string.uriCustomScheme': '{{#label}} must be an http or https URL',
    }),
});
export const refreshed = Joi.object({ success: Joi.boolean().valid(true).required() });
