import { TEMPLATE_COLOURS, TEMPLATE_FIELD_LISTS } from '@laurel/contract';
import type { Json, JsonObject } from '@laurel/errors';
import type { PassField, Template } from '../template/template';

/** What a pass may show differently from its template, by the template's own names. */
const TEXTS = [
  'description',
  'logo_text',
  'icon',
  'logo',
  'cover_image',
  'barcode_label',
  'top_field_label',
  'top_field_value',
  'location_message',
  'tier_label',
] as const;
const COLOUR = /^#[0-9a-fA-F]{6}$/;

/**
 * The template as this pass shows it. A member of `pass_fields` replaces what the template says when it is named like
 * one of its texts or colours, or like the id or label of a line; whatever its name, `{{name}}` takes it too.
 */
export function overriding(template: Template, passFields: JsonObject): Template {
  const design: Template = { ...template };
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(passFields)) {
    const text = textOf(value);
    if (text !== null) texts.set(name, text);
  }
  for (const name of TEXTS) design[name] = texts.get(name) ?? design[name];
  for (const name of TEMPLATE_COLOURS) {
    const text = texts.get(name);
    if (text !== undefined && COLOUR.test(text)) design[name] = text;
  }
  for (const list of TEMPLATE_FIELD_LISTS)
    design[list] = template[list].map((line) => overridden(line, texts));
  return design;
}

function overridden(line: PassField, values: ReadonlyMap<string, string>): PassField {
  const value = values.get(line.id) ?? values.get(line.label);
  return value === undefined ? line : { ...line, value };
}

/** Free JSON as a pass can show it; lists and objects are nothing to show. */
function textOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return null;
}
