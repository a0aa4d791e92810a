import { bareFieldName } from '@laurel/contract';
import type { Say } from '../../language';

/** What a customer has that a table of customers is about. */
export const FIELDS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'birth_date',
  'marketing_consent',
  'loyalty_program_enabled',
] as const;

/** What people call a field; one of their own has the name that they gave it. */
export const nameOfField = (say: Say, field: string): string =>
  FIELDS.some((each) => each === field)
    ? say(`import.field.${field as (typeof FIELDS)[number]}`)
    : bareFieldName(field);
