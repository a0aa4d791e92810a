import type { Json } from '@laurel/errors';
import { columnValue, complaintAboutName, complaintAboutValue } from './client-value';

test.each<[string, Json, Json]>([
  ['phone', 48_501_234_567, '48501234567'],
  ['source', true, 'true'],
  ['first_name', 'Ada', 'Ada'],
  ['first_name', null, null],
  ['marketing_consent', true, true],
  ['loyalty_program_enabled', false, false],
])('%s is kept from %p as %p', (column, value, kept) => {
  expect(columnValue(column, value)).toBe(kept);
});

test.each<[string, Json, string]>([
  ['email', 'ada at example.com', 'email must be an e-mail address'],
  ['email', 'ada love@example.com', 'email must be an e-mail address'],
  ['email', 'ada@example.com or so', 'email must be an e-mail address'],
  ['email', 'ada@example', 'email must be an e-mail address'],
  ['email', 'ada@example..com', 'email must be an e-mail address'],
  ['birth_date', '1991-02-29', 'birth_date must be a date like 2026-01-31'],
  ['birth_date', '1991', 'birth_date must be a date like 2026-01-31'],
  ['birth_date', '1991-01-31T00', 'birth_date must be a date like 2026-01-31'],
  ['birth_date', '+001991-01-31', 'birth_date must be a date like 2026-01-31'],
  ['first_name', 'x'.repeat(256), 'first_name must be at most 255 characters long'],
  ['phone', '1'.repeat(51), 'phone must be at most 50 characters long'],
  ['last_name', { first: 'x' }, 'last_name must be text'],
  ['marketing_consent', 'yes', 'marketing_consent must be true or false'],
  ['loyalty_program_enabled', 1, 'loyalty_program_enabled must be true or false'],
  ['constructor', 'x', 'constructor is not a field that a rule may write'],
  ['_bsontype', 'x', '_bsontype is not a field that a rule may write'],
  ['shoe', { sizes: [{ _bsontype: 'x' }] }, 'shoe.sizes.0._bsontype is a forbidden key'],
  ['source', Number.NaN, 'source must not hold a number that is not known'],
  ['shoe', Number.NaN, 'shoe must not hold a number that is not known'],
  [
    'shoe',
    { sizes: [38, Number.POSITIVE_INFINITY] },
    'shoe must not hold a number that is not known',
  ],
])('%s takes no %j, and says why', (field, value, complaint) => {
  expect(complaintAboutValue(field, value)).toBe(complaint);
});

test.each(['first_name', 'last_name'])('%s stands on one line', (field) => {
  expect(complaintAboutValue(field, 'two\nlines')).toMatch(new RegExp(`^${field} \\w+`));
});

test('a custom field takes, with its name, twenty thousand characters of JSON at most, as the API does', () => {
  const complaint = (length: number) => complaintAboutValue('note', 'a'.repeat(length));
  const room = 20_000 - '{"note":""}'.length;
  expect(complaint(room)).toBeNull();
  expect(complaint(room + 1)).toBe('note must be at most 20000 characters of JSON, with its name');
});

test('a text that cannot be kept is refused under the name of its field, in custom fields too', () => {
  for (const field of ['phone', 'shoe'])
    expect(complaintAboutValue(field, 'null \0')).toMatch(new RegExp(`^${field} \\w+`));
});

test.each<[string, Json]>([
  ['first_name', 'x'.repeat(255)],
  ['source', 'x'.repeat(50)],
  ['email', 'a.b+c@mail.example.com'],
  ['birth_date', '1992-02-29'],
  ['loyalty_program_enabled', true],
  ['shoe', { sizes: [38, 39] }],
  ['shoe', 'two\nlines'],
])('%s takes %j', (field, value) => {
  expect(complaintAboutValue(field, value)).toBeNull();
});

test.each([
  ...['id', 'workspace_id', 'status', 'custom_fields', 'date_created', 'registration_date'],
  ...['marketing_consent_at', 'marketing_consent_source', 'marketing_consent_text'],
  ...['__proto__', 'constructor', 'prototype', '_bsontype'],
])('a rule leaves %s of a client alone, as the API does', (name) => {
  expect(complaintAboutName(name)).toBe('is not a field that a rule may write');
});

test('a rule writes any custom field, in the data model or not, by its bare name', () => {
  for (const name of ['first_name', 'shoe_size', 'Größe', 'a.b', 'toString'])
    expect(complaintAboutName(name)).toBeNull();
  expect(complaintAboutName('custom_fields.shoe')).toBe(
    'must name the custom field by itself: shoe',
  );
});
