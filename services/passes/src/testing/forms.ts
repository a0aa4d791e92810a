import type { FormField } from '../domain/distribution/distribution';
import {
  type Answers,
  applicantOf,
  type DefinedField,
  formOf,
  problemsWith,
} from '../domain/enrollment/form';

export const CONSENT_WORDS = 'May we write to you?';

/** An optional question for a text, where nothing else is said. */
export const ask = (name: string, more: Partial<FormField> = {}): FormField => ({
  name,
  label: name,
  type: 'text',
  required: false,
  options: [],
  ...more,
});

export const define = (field_name: string, more: Partial<DefinedField> = {}): DefinedField => ({
  field_name,
  field_label: field_name,
  field_type: 'text',
  is_required: false,
  is_system: false,
  options: [],
  ...more,
});

export const formAsking = (
  form_fields_config: FormField[],
  { consent = false, definitions = [] }: { consent?: boolean; definitions?: DefinedField[] } = {},
) => formOf({ form_fields_config, require_marketing_consent: consent }, definitions, CONSENT_WORDS);

export const filledIn = (more: Partial<Answers> = {}) =>
  applicantOf({ email: 'bo@mail.example', first_name: 'Bo', custom_fields: {}, ...more });

/** The places of what is wrong with the answers. Of each it is said what is right, or what is wrong. */
export function wrongFields(
  fields: FormField[],
  answers: Partial<Answers>,
  definitions: DefinedField[] = [],
): string[] {
  const problems = problemsWith(formAsking(fields, { definitions }), filledIn(answers), undefined);
  for (const { message } of problems)
    expect(message).toMatch(/^(\w+ must be \w|\w+ has char|\w+ is required|is not a question)/);
  return problems.map(({ field = '' }) => field);
}
