import { LANGUAGES, type Language } from './language.ts';
import type { Answers, FormField } from './shapes.ts';

const CONSENT = 'marketing_consent';
const CODE = 'referral_code';
/** Columns of a client that have a place of their own in what is sent. */
const COLUMNS = ['email', 'first_name', 'last_name', 'phone'] as const;

/**
 * What the form asks: e-mail and first name in any case, consent last, and a referral code only where the form asks for
 * one or the visitor came with one.
 */
export function questionsOf(
  asked: readonly FormField[],
  code: string | null,
  language: Language,
): FormField[] {
  const isAsked = (name: string) => asked.some((field) => field.name === name);
  const always: FormField[] = [
    { name: 'first_name', label: language.say('first_name'), type: 'text', required: true },
    { name: 'email', label: language.say('email'), type: 'email', required: true },
  ].filter(({ name }) => !isAsked(name));
  const label = language.say('referral_code');
  const codes: FormField[] =
    code === null || isAsked(CODE) ? [] : [{ name: CODE, label, type: 'text', required: false }];
  const consents = asked.filter(({ name }) => name === CONSENT);
  const others = asked.filter(({ name }) => name !== CONSENT);
  return [...always, ...others, ...codes, ...consents].map((field) =>
    typed({ ...field, label: labelOf(field, language) }),
  );
}

const COMMON = [...COLUMNS, 'birth_date'] as const;
/** What the console calls them besides. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  email: ['Correo'],
  birth_date: ['Birthday', 'Geburtstag'],
};

/** What is asked for by the platform's words, in whichever language, is asked for in the visitor's; a shop's own words stay. */
export function labelOf(field: Pick<FormField, 'name' | 'label'>, language: Language): string {
  const name = COMMON.find((column) => column === field.name);
  if (!name) return field.label;
  const usual = [...Object.values(LANGUAGES).map((words) => words[name]), ...(ALSO[name] ?? [])];
  return usual.includes(field.label) ? language.say(name) : field.label;
}

/** Columns are asked for as what they are, whatever type the form gives them. */
function typed(field: FormField): FormField {
  const types: Record<string, string> = {
    email: 'email',
    phone: 'tel',
    birth_date: 'date',
    [CONSENT]: 'checkbox',
  };
  return { ...field, type: types[field.name] ?? field.type };
}

export type Value = string | boolean;

/** What is sent for what was filled in; what was left empty is left out. */
export function answersOf(
  questions: readonly FormField[],
  answerTo: (name: string) => Value,
): Answers {
  const answers: Answers = { custom_fields: {} };
  for (const { name, type } of questions) {
    const value = answerTo(name);
    if (typeof value === 'string' && value.trim() === '') continue;
    if (name === CONSENT) {
      if (value === true) answers.marketing_consent = true;
    } else if (name === CODE) answers.referral_code = String(value);
    else if (isColumn(name)) answers[name] = String(value).trim();
    else answers.custom_fields[name] = type === 'number' ? numberOf(String(value)) : value;
  }
  return answers;
}

/** Comma and point both part the decimals. */
const numberOf = (typed: string): number =>
  Number(typed.trim().replace(',', '.').replace('−', '-'));

const isColumn = (name: string): name is (typeof COLUMNS)[number] =>
  (COLUMNS as readonly string[]).includes(name);
