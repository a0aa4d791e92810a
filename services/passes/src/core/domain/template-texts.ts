import { type KnownNames, type PlaceholderWarning, placeholderWarnings } from './placeholders';
import { FIELD_LISTS, type TemplateChanges } from './template';

const TEXTS = [
  'logo_text',
  'barcode_id',
  'barcode_label',
  'top_field_label',
  'top_field_value',
  'location_message',
  'tier_label',
] as const;

/** Sections of the back that a template may order; `back_fields` are its own lines. */
export const BACK_SECTIONS = [
  'back_fields',
  'benefits',
  'available_rewards',
  'active_rewards',
  'loyalty_portal_link',
  'referral_code',
] as const;

/** What in a template will never show anything; told, not refused (part 3, section 10). */
export function templateWarnings(fields: TemplateChanges, known: KnownNames): PlaceholderWarning[] {
  const texts = [...plainTexts(fields), ...lineTexts(fields)];
  return [
    ...texts.flatMap(([field, text]) => placeholderWarnings(field, text, known)),
    ...sectionWarnings(fields.back_sections_order ?? []),
  ];
}

function plainTexts(fields: TemplateChanges): [string, string][] {
  return TEXTS.flatMap((name) => {
    const text = fields[name];
    return typeof text === 'string' ? [[name, text] as [string, string]] : [];
  });
}

function lineTexts(fields: TemplateChanges): [string, string][] {
  return FIELD_LISTS.flatMap((list) =>
    (fields[list] ?? []).flatMap(({ label, value }, index): [string, string][] => [
      [`${list}.${index}.label`, label],
      [`${list}.${index}.value`, value],
    ]),
  );
}

function sectionWarnings(order: readonly string[]): PlaceholderWarning[] {
  return order.flatMap((section, index) =>
    (BACK_SECTIONS as readonly string[]).includes(section)
      ? []
      : [
          {
            field: `back_sections_order.${index}`,
            placeholder: section,
            message: `${section} is not a section; known are ${BACK_SECTIONS.join(', ')}`,
          },
        ],
  );
}
