import { FORBIDDEN_KEYS, type JsonObject } from '@laurel/errors';
import { checkTexts } from './client-texts';
import { parseRow } from './import-row';

test('a name of several lines is refused, whether a form, a file or a caller sends it', () => {
  const problems = checkTexts({ first_name: 'Urgent!\r\nClick', last_name: 'a\tb' });
  expect(problems.map(({ field }) => field)).toEqual(['first_name', 'last_name']);
  expect(checkTexts({ first_name: 'José', last_name: null })).toEqual([]);
});

test('a name in which nothing can be seen is refused, also of what lies beyond the first plane', () => {
  for (const first_name of [' \u200b', '\u{e0041}\u{e007f}', '\u{1d173}'])
    expect(checkTexts({ first_name })[0]?.message).toContain('must not be blank');
});

test('null characters are refused wherever they stand', () => {
  expect(checkTexts({ phone: '1\0' })[0]?.field).toBe('phone');
  expect(checkTexts({ custom_fields: { a: ['x', '\ud800'] } })[0]?.field).toBe('custom_fields.a.1');
});

test('a row of a file with such a text is an error of the row', () => {
  const rows: JsonObject[] = [
    { first_name: 'a\nb' },
    { 'custom_fields.city': 'x\0' },
    { source: '\udc00' },
  ];
  for (const row of rows) expect(parseRow(row, [], 'csv')).toHaveProperty('message');
  expect(parseRow({ first_name: 'Ada', 'custom_fields.note': 'a\nb' }, [], 'csv')).toHaveProperty(
    'fields',
  );
});

test.each(FORBIDDEN_KEYS)('a key %s is an error of its row, as the API refuses it', (key) => {
  const inner = Object.fromEntries([[key, { a: 1 }]]);
  const rows: [JsonObject, 'csv' | 'ndjson'][] = [
    [{ 'custom_fields.a': JSON.stringify([inner]) }, 'csv'],
    [{ custom_fields: JSON.stringify({ a: inner }) }, 'csv'],
    [{ custom_fields: { a: [inner] } }, 'ndjson'],
    [{ custom_fields: inner }, 'ndjson'],
    [{ 'custom_fields.a': inner }, 'ndjson'],
  ];
  for (const [row, format] of rows)
    expect(parseRow(row, [], format)).toMatchObject({ message: expect.stringContaining(key) });
});

test('a row takes no e-mail address that the API refuses', () => {
  for (const email of ['a@b..c', 'a..b@c.de', 'a@b'])
    expect(parseRow({ email }, [], 'csv')).toEqual({ message: 'email must be an e-mail address' });
  expect(parseRow({ email: 'a@b.cd' }, [], 'csv')).toEqual({ fields: { email: 'a@b.cd' } });
});
