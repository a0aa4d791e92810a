import { CLIENT_STATUSES, type FieldType } from '@laurel/contract';
import {
  complaintAboutValue,
  isForbiddenKey,
  type Json,
  type JsonObject,
  memberOf,
  type Problem,
} from '@laurel/errors';
import { momentNamed } from '@laurel/values/calendar';

/** What a workspace knows clients by: a column of every client, or a custom field it defined. */
export interface FieldDefinition {
  id: string;
  workspace_id: string;
  field_name: string;
  field_label: string;
  field_type: FieldType;
  is_required: boolean;
  is_system: boolean;
  sort_order: number;
  /** The values of a select; empty for every other type. */
  options: string[];
}

const TEXT_MAX = 10_000;
const SYSTEM_FIELDS: readonly [name: string, label: string, type: FieldType, options?: string[]][] =
  [
    ['first_name', 'First name', 'text'],
    ['last_name', 'Last name', 'text'],
    ['email', 'E-mail', 'email'],
    ['phone', 'Phone', 'phone'],
    ['birth_date', 'Birth date', 'date'],
    ['status', 'Status', 'select', [...CLIENT_STATUSES]],
    ['marketing_consent', 'Marketing consent', 'boolean'],
    ['source', 'Source', 'text'],
    ['loyalty_program_enabled', 'Loyalty member', 'boolean'],
    ['registration_date', 'Registration date', 'date'],
  ];

export const SYSTEM_FIELD_NAMES: readonly string[] = SYSTEM_FIELDS.map(([name]) => name);

/** The columns that every client has; `idOf` must give a workspace's field the same id every time. */
export function systemFields(
  workspaceId: string,
  idOf: (fieldName: string) => string,
): FieldDefinition[] {
  return SYSTEM_FIELDS.map(([name, label, type, options = []], position) => ({
    id: idOf(name),
    workspace_id: workspaceId,
    field_name: name,
    field_label: label,
    field_type: type,
    is_required: false,
    is_system: true,
    sort_order: position,
    options,
  }));
}

/** Whether a custom field, defined or free-form, can have the name at all. */
export function isFieldName(name: string): boolean {
  return !isForbiddenKey(name) && name.length >= 1 && name.length <= 255 && !name.includes('\0');
}

/** What is wrong with custom fields against their definitions; undefined ones stay free-form. */
export function checkCustomFields(
  definitions: readonly FieldDefinition[],
  customFields: JsonObject,
): Problem[] {
  return definitions.flatMap((definition) => {
    const value = memberOf(customFields, definition.field_name);
    if (value === undefined || value === null) return [];
    const complaint = complaintAbout(definition, value);
    return complaint === null
      ? []
      : [
          {
            field: `custom_fields.${definition.field_name}`,
            message: `${definition.field_name} ${complaint}`,
          },
        ];
  });
}

/** What is wrong with the options of a field, or null. */
export function complaintAboutOptions(type: FieldType, options: readonly string[]): string | null {
  if (type !== 'select') return options.length === 0 ? null : 'only a select field has options';
  if (options.length === 0) return 'a select field needs at least one option';
  return new Set(options).size === options.length ? null : 'options must differ from each other';
}

/** "loyalty_card" -> "Loyalty card": the label of a field that was given none. */
export function labelFromName(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function complaintAbout({ field_type, options }: FieldDefinition, value: Json): string | null {
  return complaintAboutValue({ type: field_type, options, lengthMax: TEXT_MAX, isDate }, value);
}

/** A calendar day, alone or with a time of day. */
export const isDate = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}(?:$|T)/.test(value) && !Number.isNaN(momentNamed(value).getTime());
