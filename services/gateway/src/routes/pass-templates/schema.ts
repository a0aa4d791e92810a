import { BARCODE_TYPES, PASS_TYPES } from '@laurel/contract';
import {
  colour,
  Joi,
  nullable,
  oneLine,
  programmeKey,
  shownKey,
  text,
  timestamp,
  uuid,
} from '../../schema/types';

const NAME_MAX = 255;
const LABEL_MAX = 255;
const TEXT_MAX = 2_000;
const IMAGE_SOURCE_MAX = 2_048;
const LINES_MAX = 50;
const LOCATIONS_MAX = 100;
const SECTIONS_MAX = 50;
const EXPIRY_DAYS_MAX = 36_500;
const ALTITUDE_MAX = 100_000;

const passField = Joi.object({
  id: text(100, 1),
  label: oneLine(LABEL_MAX).required(),
  value: text(TEXT_MAX).required(),
});
const lines = Joi.array()
  .items(passField)
  .max(LINES_MAX)
  .unique('id', { ignoreUndefined: true })
  .messages({ 'array.unique': '{{#label}} has an id that another line has' });

const location = Joi.object({
  latitude: Joi.number().min(-90).max(90).required(),
  longitude: Joi.number().min(-180).max(180).required(),
  altitude: Joi.number().min(-ALTITUDE_MAX).max(ALTITUDE_MAX),
  name: oneLine(NAME_MAX),
});

/** An app is opened by https or a scheme of its own; these run or show something of the browser (part 4, section 4). */
const NO_APP = /^(?!(?:about|blob|data|file|filesystem|http|javascript|vbscript|view-source):)/i;
const deeplink = () =>
  Joi.string().max(IMAGE_SOURCE_MAX).uri().pattern(NO_APP).messages({
    'string.uri': '{{#label}} must be a URL',
    'string.pattern.base': '{{#label}} must be of https or a scheme of the app',
  });

export const designFields = {
  name: oneLine(NAME_MAX, 1),
  description: nullable(text(TEXT_MAX)),
  pass_type: Joi.string().valid(...PASS_TYPES),
  apple_pass_type_identifier: nullable(text(NAME_MAX)),
  background_color: nullable(colour()),
  label_color: nullable(colour()),
  value_color: nullable(colour()),
  logo_text: nullable(oneLine(NAME_MAX)),
  icon: nullable(text(IMAGE_SOURCE_MAX)),
  logo: nullable(text(IMAGE_SOURCE_MAX)),
  cover_image: nullable(text(IMAGE_SOURCE_MAX)),
  barcode_type: Joi.string().valid(...BARCODE_TYPES),
  barcode_id: nullable(text(NAME_MAX)),
  barcode_label: nullable(oneLine(LABEL_MAX)),
  top_field_label: nullable(oneLine(LABEL_MAX)),
  top_field_value: nullable(text(TEXT_MAX)),
  front_fields: lines,
  secondary_fields: lines,
  back_fields: lines,
  show_benefits_on_back: Joi.boolean(),
  show_available_rewards_on_back: Joi.boolean(),
  show_active_rewards_on_back: Joi.boolean(),
  show_loyalty_portal_link_on_back: Joi.boolean(),
  show_referral_code_on_back: Joi.boolean(),
  back_sections_order: nullable(Joi.array().items(text(100, 1)).max(SECTIONS_MAX).unique()),
  locations: Joi.array().items(location).max(LOCATIONS_MAX),
  location_message: nullable(text(TEXT_MAX)),
  ios_deeplink_id: nullable(Joi.number().integer().min(0).max(Number.MAX_SAFE_INTEGER)),
  ios_deeplink_url: nullable(deeplink()),
  tier_id: nullable(uuid()),
  tier_label: nullable(oneLine(LABEL_MAX)),
  expires_after_days: nullable(Joi.number().integer().min(1).max(EXPIRY_DAYS_MAX)),
};

export interface TemplateBody {
  workspace_id?: string;
  project_id?: string;
  [field: string]: unknown;
}
export const createTemplate = Joi.object<TemplateBody & { project_id: string }>({
  key: programmeKey(),
  ...designFields,
  name: designFields.name.required(),
  workspace_id: uuid(),
  project_id: uuid().required(),
});
export const updateTemplate = Joi.object<TemplateBody>({
  key: programmeKey(),
  ...designFields,
  workspace_id: uuid(),
  project_id: uuid(),
});

const shownLines = Joi.array()
  .items({ id: Joi.string().required(), label: text(LABEL_MAX), value: text(TEXT_MAX) })
  .required();
export const template = Joi.object({
  id: uuid().required(),
  uuid: uuid().required(),
  workspace_id: uuid().required(),
  key: shownKey(),
  project_id: uuid().required(),
  ...Object.fromEntries(
    Object.entries(designFields).map(([name, schema]) => [name, schema.required()]),
  ),
  front_fields: shownLines,
  secondary_fields: shownLines,
  back_fields: shownLines,
  statistics: Joi.object({
    passes: Joi.number().integer().required(),
    apple: Joi.number().integer().required(),
    google: Joi.number().integer().required(),
  }).required(),
  date_created: timestamp().required(),
  date_updated: timestamp().required(),
  user_created: nullable(uuid()).required(),
  user_updated: nullable(uuid()).required(),
}).meta({ name: 'PassTemplate' });
export const templates = Joi.array().items(template);
export const migrateTemplate = Joi.object<{ target_template_id: string }>({
  target_template_id: uuid().required(),
});
export const migratedTemplate = Joi.object({
  deleted_template_id: uuid().required(),
  target_template_id: uuid().required(),
  migrated_passes: Joi.number().integer().required(),
});

/** Placeholders that nothing fills. */
const warning = Joi.object({
  field: Joi.string().required(),
  placeholder: Joi.string().required(),
  message: Joi.string().required(),
});
export const saved = Joi.object({ warnings: Joi.array().items(warning).required() });
