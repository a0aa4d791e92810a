import { CLIENT_COLUMNS, CLIENT_STATUSES, type ClientColumn } from '@laurel/contract';
import type { FieldDefinition } from '../data-model';
import { pathStep } from './criterion';
import type { ValueType } from './value-type';

/** What the values of each column of a client are. */
const COLUMN_TYPES: Readonly<Record<ClientColumn, ValueType>> = {
  id: { kind: 'id' },
  workspace_id: { kind: 'id' },
  first_name: { kind: 'text' },
  last_name: { kind: 'text' },
  email: { kind: 'text' },
  phone: { kind: 'text' },
  birth_date: { kind: 'moment' },
  status: { kind: 'choice', options: CLIENT_STATUSES },
  marketing_consent: { kind: 'boolean' },
  marketing_consent_at: { kind: 'moment' },
  marketing_consent_source: { kind: 'text' },
  marketing_consent_text: { kind: 'text' },
  custom_fields: { kind: 'object' },
  source: { kind: 'text' },
  loyalty_program_enabled: { kind: 'boolean' },
  registration_date: { kind: 'moment' },
  date_created: { kind: 'moment' },
};

/** A field of a client: what its values are, and where a profile has them. */
export interface ProfileField {
  type: ValueType;
  path: string;
  /** Where there is something whenever the field has a value, of whatever type. */
  presence: string;
  /** Where a profile has the one form of all spellings of a value (part 3, section 16). */
  alike?: { contact: Contact; path: string };
}

/** What of a client is the same in several spellings. */
export type Contact = 'email' | 'phone';

/** The one form of all spellings of an address or a phone; null where there is nothing to compare. */
export type ContactKeys = Readonly<Record<Contact, (written: string | null) => string | null>>;

/** The column of that name; null when clients have none. */
export function columnField(name: string): ProfileField | null {
  if (!(CLIENT_COLUMNS as readonly string[]).includes(name)) return null;
  const path = `columns.${name}`;
  const field = { type: COLUMN_TYPES[name as ClientColumn], path, presence: path };
  if (name !== 'email' && name !== 'phone') return field;
  return { ...field, alike: { contact: name, path: `${path}_key` } };
}

/** The custom field of that name; one that the workspace did not define is free-form. */
export function customField(
  name: string,
  definitions: ReadonlyMap<string, FieldDefinition>,
): ProfileField {
  const presence = `custom_fields.${pathStep(name)}`;
  const type = typeOf(definitions.get(name));
  const path = type.kind === 'moment' ? `custom_moments.${pathStep(name)}` : presence;
  return { type, path, presence };
}

function typeOf(definition: FieldDefinition | undefined): ValueType {
  switch (definition?.field_type) {
    case undefined:
      return { kind: 'free' };
    case 'number':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'date':
      return { kind: 'moment' };
    case 'select':
      return { kind: 'choice', options: definition!.options };
    default:
      return { kind: 'text' };
  }
}
