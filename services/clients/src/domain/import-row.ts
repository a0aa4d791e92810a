import { customFieldOf } from '@laurel/contract';
import { complaintAboutLevels, type Json, type JsonObject, parseJson } from '@laurel/errors';
import { isEmail } from '@laurel/values/email';
import { type ClientFields, complaintAboutRoom } from './client';
import { checkTexts } from './client-texts';
import { checkCustomFields, type FieldDefinition, isDate, isFieldName } from './data-model';

const TRUE = new Set(['true', '1', 'yes']);
const FALSE = new Set(['false', '0', 'no']);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

const TEXT_LENGTH_MAX = {
  first_name: 255,
  last_name: 255,
  email: 255,
  phone: 50,
  source: 50,
  marketing_consent_text: 2_000,
} as const;
const BOOLEANS = ['marketing_consent', 'loyalty_program_enabled'] as const;

/** What an export has besides the writable columns: read over, so that an export can be imported. */
const READ_ONLY: readonly string[] = [
  'id',
  'workspace_id',
  'marketing_consent_at',
  'marketing_consent_source',
  'registration_date',
  'date_created',
];
const WRITABLE: readonly string[] = [
  ...Object.keys(TEXT_LENGTH_MAX),
  ...BOOLEANS,
  'birth_date',
  'status',
  'custom_fields',
];

export type ParsedRow = { fields: ClientFields } | { message: string };

/** Columns that a file may not have. */
export function unknownColumns(columns: readonly string[]): string[] {
  return columns.filter(
    (column) =>
      !WRITABLE.includes(column) &&
      !READ_ONLY.includes(column) &&
      // Without a name behind it the prefix is no custom field either.
      !customFieldOf(column),
  );
}

/**
 * The writable fields of one row, or what is wrong with it. In a CSV everything is text and an empty
 * cell says nothing; in NDJSON values have their types.
 */
export function parseRow(
  row: JsonObject,
  definitions: readonly FieldDefinition[],
  format: 'csv' | 'ndjson',
): ParsedRow {
  const tooDeep = complaintAboutLevels(row);
  if (tooDeep !== null) return { message: `the row ${tooDeep}` };
  const said =
    format === 'ndjson' ? row : Object.fromEntries(Object.entries(row).filter(([, v]) => v !== ''));
  const problems = unknownColumns(Object.keys(said)).map((column) => `unknown column ${column}`);
  const fields: Record<string, Json> = {};
  for (const [column, value] of Object.entries(said)) {
    if (READ_ONLY.includes(column) || customFieldOf(column) !== null) continue;
    if (column === 'custom_fields' || !WRITABLE.includes(column)) continue;
    const parsed = BOOLEANS.includes(column as 'marketing_consent') ? toBoolean(value) : value;
    const complaint = complaintAbout(column, parsed);
    if (complaint) problems.push(`${column} ${complaint}`);
    else fields[column] = parsed;
  }
  const custom = customFieldsOf(said, definitions, format);
  if (typeof custom === 'string') problems.push(custom);
  else {
    const complaint = complaintAboutRoom(custom);
    if (complaint !== null) problems.push(complaint);
    problems.push(...checkCustomFields(definitions, custom).map(({ message }) => message));
    if (Object.keys(custom).length > 0) fields.custom_fields = custom;
  }
  problems.push(...checkTexts(fields as ClientFields).map(({ message }) => message));
  if (problems.length > 0) return { message: problems.join('; ') };
  return { fields: fields as ClientFields };
}

function complaintAbout(column: string, value: Json): string | null {
  if (BOOLEANS.includes(column as 'marketing_consent')) {
    return typeof value === 'boolean' ? null : 'must be true or false';
  }
  if (column === 'status') {
    return value === 'active' || value === 'inactive' ? null : 'must be active or inactive';
  }
  if (value === null) return null;
  if (typeof value !== 'string') return 'must be text';
  if (column === 'birth_date') {
    return value.length === 10 && isDate(value) ? null : 'must be a date like 2026-01-31';
  }
  const max = TEXT_LENGTH_MAX[column as keyof typeof TEXT_LENGTH_MAX];
  if (value.length > max) return `must be at most ${max} characters long`;
  return column === 'email' && !isEmail(value) ? 'must be an e-mail address' : null;
}

/** The custom fields of a row, or what is wrong with them as a whole. */
function customFieldsOf(
  row: JsonObject,
  definitions: readonly FieldDefinition[],
  format: 'csv' | 'ndjson',
): JsonObject | string {
  const nested = nestedFields(row.custom_fields);
  if (nested === null) return 'custom_fields must be an object';
  const named = Object.entries(row).flatMap(([column, value]): [string, Json][] => {
    const name = customFieldOf(column);
    if (name === null) return [];
    const definition = definitions.find(({ field_name }) => field_name === name);
    return [[name, format === 'csv' ? typed(definition, value) : value]];
  });
  const all = [...Object.entries(nested), ...named];
  const forbidden = all.find(([name]) => !isFieldName(name));
  if (forbidden) return `${forbidden[0]} is no name for a custom field`;
  // A cell may have been JSON itself.
  const custom = Object.fromEntries(all);
  const tooDeep = complaintAboutLevels({ custom });
  return tooDeep === null ? custom : `custom_fields ${tooDeep}`;
}

function nestedFields(value: Json | undefined): JsonObject | null {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') {
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  }
  try {
    return nestedFields(parseJson(value));
  } catch {
    return null;
  }
}

/** A cell in the type its field is defined with, where it can be read as that. */
function typed(definition: FieldDefinition | undefined, value: Json): Json {
  if (!definition) return structured(value);
  if (definition.field_type === 'boolean') return toBoolean(value);
  if (definition.field_type !== 'number') return value;
  const number = NUMBER.test(String(value)) ? Number(value) : Number.NaN;
  // One that loses digits is refused as text, as the API refuses it.
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : value;
}

/** A list or object as an export writes it; any other cell of a free-form field is text. */
function structured(value: Json): Json {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

function toBoolean(value: Json): Json {
  const text = String(value).toLowerCase();
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : value;
}
