import { CLIENT_COLUMNS, type ClientColumn, type FieldType, type Operator } from '@laurel/contract';
import type { FieldDefinition } from '../data-model';
import { columnField, customField } from './fields';
import { comparisonProblems, type ValueType } from './value-type';

const ID = '0190a0b0-0000-7000-8000-000000000001';
/** A right value of each kind of column (part 1, Client), and one that only another kind has. */
const TEXT = ['Ann', 5] as const;
const DAY = ['2026-01-31', 'Ann'] as const;
const TRUTH = [true, 'true'] as const;
const VALUES: Record<Exclude<ClientColumn, 'custom_fields'>, readonly [unknown, unknown]> = {
  id: [ID, 'Ann'],
  workspace_id: [ID, 'Ann'],
  first_name: TEXT,
  last_name: TEXT,
  email: TEXT,
  phone: TEXT,
  birth_date: DAY,
  status: ['inactive', 'Ann'],
  marketing_consent: TRUTH,
  marketing_consent_at: DAY,
  marketing_consent_source: TEXT,
  marketing_consent_text: TEXT,
  source: TEXT,
  loyalty_program_enabled: TRUTH,
  registration_date: DAY,
  date_created: DAY,
};

const goes = (type: ValueType, operator: Operator, value: unknown) =>
  comparisonProblems({ operator, value: value as string }, type, 'at').length === 0;

test.each(Object.entries(VALUES))('%s is compared with values of its own type', (name, values) => {
  const { type } = columnField(name)!;
  expect(values.map((value) => goes(type, '_eq', value))).toEqual([true, false]);
});

test('of all custom fields together it is asked only whether there are any', () => {
  const { type } = columnField('custom_fields')!;
  expect(goes(type, '_null', true)).toBe(true);
  expect(goes(type, '_eq', 'a')).toBe(false);
});

test('every column of a client can be asked for, and nothing else', () => {
  for (const name of CLIENT_COLUMNS)
    expect(columnField(name)).toMatchObject({ path: `columns.${name}` });
  for (const name of ['revision', 'constructor', '']) expect(columnField(name)).toBeNull();
});

test('an undefined custom field is compared with a text, a number, or a truth', () => {
  const { type } = customField('field', new Map());
  for (const value of ['a', 5, true]) expect(goes(type, '_eq', value)).toBe(true);
});

test.each<[FieldType, unknown, unknown]>([
  ['text', 'a', 5],
  ['email', 'ann@example.com', true],
  ['number', 5, 'a'],
  ['boolean', true, 'true'],
  ['date', '2026-01-31', 'a'],
  ['select', 'S', 'M'],
])('a custom field of type %s is compared with %j, not with %j', (field_type, right, wrong) => {
  const definition = { field_name: 'field', field_type, options: ['S'] } as
    | FieldDefinition
    | object;
  const known = new Map([['field', definition as FieldDefinition]]);
  const { type } = customField('field', known);
  expect([right, wrong].map((value) => goes(type, '_eq', value))).toEqual([true, false]);
});
