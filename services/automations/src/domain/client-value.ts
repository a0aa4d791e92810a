import { CLIENT_COLUMNS, customFieldOf, JSON_CHARACTERS_MAX } from '@laurel/contract';
import { complaintAboutLine, complaintAboutTexts, isForbiddenKey, type Json } from '@laurel/errors';
import { isEmail } from '@laurel/values/email';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LENGTH_MAX: Readonly<Record<string, number>> = {
  first_name: 255,
  last_name: 255,
  email: 255,
  phone: 50,
  source: 50,
};
const ONE_LINE: readonly string[] = ['first_name', 'last_name'];
const SWITCHES: readonly string[] = ['marketing_consent', 'loyalty_program_enabled'];

/** Columns of a client that a rule may write; anything else is a custom field. */
export const WRITABLE_COLUMNS: readonly string[] = [
  ...Object.keys(LENGTH_MAX),
  'birth_date',
  ...SWITCHES,
];

const NOT_WRITABLE = 'is not a field that a rule may write';

/**
 * Why a rule cannot write a field of that name; null where it can. A custom field need not be in the data model
 * (part 3, section 3: those stay free-form), and is named bare (part 3, section 16).
 */
export function complaintAboutName(field: string): string | null {
  const isColumn = CLIENT_COLUMNS.some((column) => column === field);
  if (isForbiddenKey(field) || (isColumn && !WRITABLE_COLUMNS.includes(field))) return NOT_WRITABLE;
  const bare = customFieldOf(field);
  return bare === null ? null : `must name the custom field by itself: ${bare}`;
}

/** A value in the form in which a column is kept: what is shown as text is text. */
export function columnValue(column: string, value: Json): Json {
  return value === null || SWITCHES.includes(column) ? value : String(value);
}

/** Why the API would refuse a value for a field of a client (part 1, Client); null where it takes it. */
export function complaintAboutValue(field: string, value: Json): string | null {
  if (isForbiddenKey(field)) return `${field} ${NOT_WRITABLE}`;
  if (SWITCHES.includes(field))
    return typeof value === 'boolean' ? null : `${field} must be true or false`;
  const unreadable = complaintAboutTexts(value, field);
  if (unreadable) return `${unreadable.path} ${unreadable.complaint}`;
  if (holdsUnknown(value)) return `${field} must not hold a number that is not known`;
  if (value === null) return null;
  // The API measures the fields that it is sent together, with their names.
  if (!WRITABLE_COLUMNS.includes(field))
    return JSON.stringify({ [field]: value }).length > JSON_CHARACTERS_MAX
      ? `${field} must be at most ${JSON_CHARACTERS_MAX} characters of JSON, with its name`
      : null;
  if (typeof value === 'object') return `${field} must be text`;
  const text = String(value);
  if (field === 'birth_date')
    return isRealDay(text) ? null : 'birth_date must be a date like 2026-01-31';
  const max = LENGTH_MAX[field]!;
  if (text.length > max) return `${field} must be at most ${max} characters long`;
  const broken = ONE_LINE.includes(field) ? complaintAboutLine(text) : null;
  if (broken !== null) return `${field} ${broken}`;
  return field === 'email' && !isEmail(text) ? 'email must be an e-mail address' : null;
}

/** Whether it has a number that came of something that is not there, as of the age of a client without a birthday. */
function holdsUnknown(value: Json): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnknown);
}

function isRealDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
