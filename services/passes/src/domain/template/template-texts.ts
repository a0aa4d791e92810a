import { TEMPLATE_FIELD_LISTS } from '@laurel/contract';
import {
  hasPlaceholder,
  type KnownNames,
  type PlaceholderWarning,
  placeholdersIn,
  placeholderWarnings,
} from '../pass/placeholders';
import type { TemplateChanges } from './template';

const TEXTS = [
  'name',
  'description',
  'icon',
  'logo',
  'cover_image',
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

/** What in a template will never show anything; a warning, not a refusal (part 3, section 10). */
export function templateWarnings(fields: TemplateChanges, known: KnownNames): PlaceholderWarning[] {
  const texts = [...plainTexts(fields), ...lineTexts(fields), ...placeTexts(fields)];
  const unfilled = texts.flatMap(([field, text]) => placeholderWarnings(field, text, known));
  return [
    ...unfilled,
    ...nameWarnings(fields.name ?? '', unfilled),
    ...sectionWarnings(fields.back_sections_order ?? []),
    ...patternWarnings(fields.barcode_id ?? ''),
    ...roomWarnings(fields),
    ...passTypeWarnings(fields.apple_pass_type_identifier ?? ''),
  ];
}

function plainTexts(fields: TemplateChanges): [string, string][] {
  return TEXTS.flatMap((name) => {
    const text = fields[name];
    return typeof text === 'string' ? [[name, text] as [string, string]] : [];
  });
}

function lineTexts(fields: TemplateChanges): [string, string][] {
  return TEMPLATE_FIELD_LISTS.flatMap((list) =>
    (fields[list] ?? []).flatMap(({ label, value }, index): [string, string][] => [
      [`${list}.${index}.label`, label],
      [`${list}.${index}.value`, value],
    ]),
  );
}

function placeTexts({ locations }: TemplateChanges): [string, string][] {
  return (locations ?? []).flatMap(({ name }, index): [string, string][] =>
    name ? [[`locations.${index}.name`, name]] : [],
  );
}

/** What could be filled on a card, and is not in a name that all cards of the template have at Google. */
function nameWarnings(name: string, warned: readonly PlaceholderWarning[]): PlaceholderWarning[] {
  const message = 'all cards have one name: Google Wallet shows it without what is filled on each';
  const isWarned = new Set(
    warned.flatMap(({ field, placeholder }) => (field === 'name' ? [placeholder] : [])),
  );
  return placeholdersIn(name)
    .filter((placeholder) => !isWarned.has(placeholder))
    .map((placeholder) => ({ field: 'name', placeholder, message }));
}

/** What wallets have room for; they leave the rest out. */
const ROOM = { front_fields: 5, secondary_fields: 4, locations: 10 } as const;

function roomWarnings(fields: TemplateChanges): PlaceholderWarning[] {
  return (['front_fields', 'secondary_fields', 'locations'] as const).flatMap((field) => {
    const count = fields[field]?.length ?? 0;
    if (count <= ROOM[field]) return [];
    const message = `wallets show ${ROOM[field]} of the ${count}; the rest may be left out`;
    return [{ field, placeholder: String(count), message }];
  });
}

const PASS_TYPE = /^pass\.[A-Za-z0-9.-]+$/;

function passTypeWarnings(identifier: string): PlaceholderWarning[] {
  if (identifier === '' || PASS_TYPE.test(identifier)) return [];
  const message = 'Apple has no such identifier; one looks like pass.com.example.loyalty';
  return [{ field: 'apple_pass_type_identifier', placeholder: identifier, message }];
}

/** One value for all cards would lead to one of them only: each shows a value of its own instead. */
function patternWarnings(pattern: string): PlaceholderWarning[] {
  if (pattern === '' || hasPlaceholder(pattern)) return [];
  const message = 'the pattern has no placeholder; each pass gets a random value instead';
  return [{ field: 'barcode_id', placeholder: pattern, message }];
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
