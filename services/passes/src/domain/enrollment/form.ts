import { bareFieldName } from '@laurel/contract';
import {
  complaintAboutLine,
  complaintAboutValue,
  type Json,
  type JsonObject,
  memberOf,
  PROBLEMS_MAX,
  type Problem,
} from '@laurel/errors';
import type { FormField } from '../distribution/distribution';

/** A custom field as the workspace's data model defines it. */
export interface DefinedField {
  field_name: string;
  field_label: string;
  field_type: string;
  is_required: boolean;
  is_system: boolean;
  options: string[];
}

export interface Form {
  fields: FormField[];
  requiresConsent: boolean;
}

/** What somebody filled in, as it came. */
export interface Answers {
  email: string;
  first_name: string;
  last_name?: string | undefined;
  phone?: string | undefined;
  marketing_consent?: boolean | undefined;
  custom_fields: JsonObject;
  referral_code?: string | undefined;
}

/** The same, with what belongs to the client's columns in its place. */
export interface Applicant {
  email: string;
  first_name: string;
  last_name: string | null;
  phone: string | null;
  birth_date: string | null;
  /** Absent where the form was sent without saying. */
  marketing_consent?: boolean;
  custom_fields: JsonObject;
}

const PHONE_MAX = 50;
const TEXT_MAX = 1_000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Halves of characters, and what ends a text early: neither a card nor a store can hold them. */
const BROKEN = /[\0\p{Surrogate}]/u;

const CONSENT = 'marketing_consent';
const CODE = 'referral_code';
const ALWAYS_REQUIRED = ['email', 'first_name'];
const COLUMNS = new Set(['email', 'first_name', 'last_name', 'phone', 'birth_date', CONSENT]);
/** Names that the data model and HTML have for one type. */
const SAME_TYPES: Readonly<Record<string, string>> = {
  checkbox: 'boolean',
  tel: 'phone',
  textarea: 'text',
};
/** Columns that only the custom fields of a form have room for, and that go where they belong. */
const PROMOTED = ['phone', 'birth_date'] as const;

/**
 * The form as it binds: what the distribution asks, and what the workspace's data model requires (part 3, section 3:
 * `is_required` binds forms), each custom field by the type that the data model gives it. A form that must have consent
 * and does not ask for it asks in the words of `consentText`.
 */
export function formOf(
  { form_fields_config, require_marketing_consent }: AskedForm,
  definitions: readonly DefinedField[],
  consentText: string,
): Form {
  const asked = form_fields_config.map((field) =>
    asDefined({ ...field, name: bareFieldName(field.name) }, definitions),
  );
  const required = definitions.filter(({ is_system, is_required }) => !is_system && is_required);
  const names = new Set([...ALWAYS_REQUIRED, ...required.map(({ field_name }) => field_name)]);
  const requiresConsent =
    require_marketing_consent || asked.some((field) => field.name === CONSENT && field.required);
  if (requiresConsent) names.add(CONSENT);
  const bound = asked.map((field) => ({
    ...field,
    required: field.required || names.has(field.name),
  }));
  const isAsked = (name: string) => asked.some((field) => field.name === name);
  const missing = required.filter(({ field_name }) => !isAsked(field_name)).map(toFormField);
  const consent = {
    name: CONSENT,
    label: consentText,
    type: 'boolean',
    required: true,
    options: [],
  };
  const asksConsent = !requiresConsent || isAsked(CONSENT);
  return { fields: [...bound, ...missing, ...(asksConsent ? [] : [consent])], requiresConsent };
}

/** The question as the data model types it, which may have changed since the form was made. */
function asDefined(field: FormField, definitions: readonly DefinedField[]): FormField {
  const definition = definitions.find(
    ({ field_name, is_system }) => !is_system && field_name === field.name,
  );
  if (!definition || isBuiltIn(field.name)) return field;
  const { field_type: type, options } = definition;
  const isSame = (SAME_TYPES[field.type] ?? field.type) === (SAME_TYPES[type] ?? type);
  if (!isSame) return { ...field, type, options };
  if (type !== 'select') return field;
  return { ...field, options: field.options.filter((option) => options.includes(option)) };
}

const isBuiltIn = (name: string): boolean => COLUMNS.has(name) || name === CODE;

/** The words in which a form asks for consent; null where it does not. */
export function consentTextOf({ fields }: Form): string | null {
  return fields.find(({ name }) => name === CONSENT)?.label ?? null;
}

interface AskedForm {
  form_fields_config: readonly FormField[];
  require_marketing_consent: boolean;
}

function toFormField({ field_name, field_label, field_type, options }: DefinedField): FormField {
  return { name: field_name, label: field_label, type: field_type, required: true, options };
}

/** Sorts the answers into columns and custom fields; empty answers count as none. */
export function applicantOf({ email, first_name, ...answers }: Answers): Applicant {
  const custom: JsonObject = { ...answers.custom_fields };
  const promoted = { phone: answers.phone?.trim() || null, birth_date: null as string | null };
  for (const column of PROMOTED) {
    const value = custom[column];
    if (typeof value === 'string' && promoted[column] === null)
      promoted[column] = value.trim() || null;
    if (typeof value === 'string' || value === null) delete custom[column];
  }
  return {
    email: email.trim(),
    first_name: first_name.trim(),
    last_name: answers.last_name?.trim() || null,
    ...promoted,
    ...(answers.marketing_consent === undefined
      ? {}
      : { marketing_consent: answers.marketing_consent }),
    custom_fields: custom,
  };
}

/** Everything that is wrong with what was filled in, each with its place in the body. */
export function problemsWith(
  { fields, requiresConsent }: Form,
  applicant: Applicant,
  code: string | undefined,
): Problem[] {
  // Of consent and the first name it is said elsewhere, whether the form asks for them or not.
  const asked = fields.filter(({ name }) => name !== CONSENT && name !== 'first_name');
  const consent =
    requiresConsent && applicant.marketing_consent !== true
      ? [{ field: CONSENT, message: 'consent to marketing is required' }]
      : [];
  const problems = [
    ...columnProblems(applicant),
    ...asked.flatMap((field) => problemsOf(field, applicant, code)),
    ...strangeProblems(asked, applicant),
    ...consent,
  ];
  return problems.slice(0, PROBLEMS_MAX);
}

/** A form takes the custom fields that it asks for, and no others: what segments, rules and cards go by is not public. */
function strangeProblems(asked: readonly FormField[], { custom_fields }: Applicant): Problem[] {
  const known = new Set(asked.map(({ name }) => name).filter((name) => !isBuiltIn(name)));
  return Object.keys(custom_fields)
    .filter((name) => !known.has(name) && !PROMOTED.some((column) => column === name))
    .map((name) => ({
      field: `custom_fields.${name.slice(0, 80)}`,
      message: 'is not a question of this form',
    }));
}

/** What holds of the columns whatever the form asks. */
function columnProblems(applicant: Applicant): Problem[] {
  const { first_name, phone, birth_date, custom_fields } = applicant;
  const problems: Problem[] = [];
  for (const column of ['first_name', 'last_name', 'phone'] as const) {
    const value = applicant[column] ?? '';
    if (complaintAboutLine(value) !== null)
      problems.push({ field: column, message: `${column} must be one line of text` });
  }
  if (first_name === '') problems.push({ field: 'first_name', message: 'first_name is required' });
  if (phone !== null && phone.length > PHONE_MAX)
    problems.push({
      field: 'phone',
      message: `phone must be at most ${PHONE_MAX} characters long`,
    });
  if (birth_date !== null && !isDay(birth_date))
    problems.push({
      field: 'custom_fields.birth_date',
      message: 'birth_date must be a date like 2026-01-31',
    });
  for (const column of PROMOTED) {
    if (custom_fields[column] !== undefined)
      problems.push({ field: `custom_fields.${column}`, message: `${column} must be text` });
  }
  return problems;
}

function problemsOf(field: FormField, applicant: Applicant, code: string | undefined): Problem[] {
  const { name, required } = field;
  const value = answerTo(name, applicant, code);
  const place = placeOf(name);
  const missing = required ? [{ field: place, message: `${name} is required` }] : [];
  // A code never stands in the way of an enrollment, not even an empty one: that there is none is all that may.
  if (name === CODE) return value === undefined ? missing : [];
  if (isEmpty(value)) return missing;
  // The columns have rules of their own.
  if (COLUMNS.has(name) && name !== 'phone') return [];
  const complaint = complaintAbout(field, value);
  return complaint === null ? [] : [{ field: place, message: `${name} ${complaint}` }];
}

function answerTo(name: string, applicant: Applicant, code: string | undefined): Json | undefined {
  if (name === CODE) return code;
  if (COLUMNS.has(name)) return (applicant as unknown as JsonObject)[name];
  return memberOf(applicant.custom_fields, name);
}

function placeOf(name: string): string {
  const hasPlace = (COLUMNS.has(name) && name !== 'birth_date') || name === CODE;
  return hasPlace ? name : `custom_fields.${name}`;
}

const isEmpty = (value: Json | undefined): value is undefined | null | '' =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function complaintAbout({ type, options, required }: FormField, value: Json): string | null {
  if (type === 'checkbox' && required && value === false) return 'must be ticked';
  const complaint = complaintAboutValue(
    { type, options, lengthMax: TEXT_MAX, isDate: isDay },
    value,
  );
  const isBroken = typeof value === 'string' && BROKEN.test(value);
  return complaint ?? (isBroken ? 'has characters that cannot be kept' : null);
}

function isDay(value: string): boolean {
  const [, year, month, day] = DAY.exec(value) ?? [];
  const calendar = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // A day that the month has not is one of the month before or after.
  return calendar.getUTCMonth() === Number(month) - 1;
}
