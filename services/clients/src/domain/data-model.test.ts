import type { FieldType } from '@laurel/contract';
import {
  checkCustomFields,
  complaintAboutOptions,
  type FieldDefinition,
  isDate,
  isFieldName,
  systemFields,
} from './data-model';
import { parseRow } from './import-row';

const field = (field_type: FieldType, options: string[] = []): FieldDefinition => ({
  id: 'f1',
  workspace_id: 'w1',
  field_name: 'x',
  field_label: 'X',
  field_type,
  is_required: true,
  is_system: false,
  sort_order: 0,
  options,
});

test('a custom field has any name of 1 to 255 characters but those that the API forbids', () => {
  for (const name of ['x', 'a.b', '$set', 'toString', 'x'.repeat(255)])
    expect(isFieldName(name)).toBe(true);
  for (const name of ['', 'x'.repeat(256), '__proto__', 'constructor', 'prototype', '_bsontype'])
    expect(isFieldName(name)).toBe(false);
});

describe('a defined field', () => {
  test.each<[FieldType, unknown[], unknown[]]>([
    ['text', ['', 'a'], [1, true, ['a'], {}]],
    ['number', [0, -1.5], ['1', true]],
    ['boolean', [true, false], ['true', 0]],
    ['date', ['2024-02-29', '2026-01-15T10:00:00Z'], ['2026-02-29', 'today', 5]],
    ['select', ['a'], ['b', '', 1]],
    ['email', ['a@example.com'], ['a', 'a@b', 'a b@example.com']],
    ['phone', ['+49 30 1234567', '030/123'], ['abc', '1']],
    ['url', ['https://example.com/x'], ['example.com', 'javascript:alert(1)']],
  ])('of type %s takes what it is and nothing else; null empties it', (type, good, bad) => {
    const definitions = [field(type, type === 'select' ? ['a'] : [])];
    const problems = (x: unknown) => checkCustomFields(definitions, { x: x as string });
    for (const value of [...good, null]) expect([value, problems(value)]).toEqual([value, []]);
    for (const value of bad) {
      expect([value, problems(value).map((problem) => problem.field)]).toEqual([
        value,
        ['custom_fields.x'],
      ]);
    }
  });

  test('that is required binds forms, not the API', () => {
    expect(checkCustomFields([field('text')], {})).toEqual([]);
    const inherited = { ...field('text'), field_name: 'constructor' };
    expect(checkCustomFields([inherited], {})).toEqual([]);
  });

  test('has options exactly if it is a select', () => {
    expect(complaintAboutOptions('select', [])).not.toBeNull();
    expect(complaintAboutOptions('select', ['a', 'a'])).not.toBeNull();
    expect(complaintAboutOptions('select', ['a', 'b'])).toBeNull();
    expect(complaintAboutOptions('text', ['a'])).not.toBeNull();
  });
});

test('system fields have ids of their own per workspace', () => {
  const fields = systemFields('w1', (name) => `w1 ${name}`);
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  expect(fields.every(({ is_system }) => is_system)).toBe(true);
});

test('a date is a day of the calendar', () => {
  expect(['2024-02-29', '2026-12-31'].every(isDate)).toBe(true);
  expect(
    ['2026-02-29', '2026-02-30T10:00', '2026-13-01', '2026-1-1', '20260101'].some(isDate),
  ).toBe(false);
});

describe('a row of an import', () => {
  test('reads the cells of a CSV in the types of their fields, an empty one as nothing', () => {
    const row = {
      email: '',
      marketing_consent: 'Yes',
      'custom_fields.x': '4.5',
      'custom_fields.free': '007',
      'custom_fields.list': '[1,2]',
      id: 'ignored',
    };
    expect(parseRow(row, [field('number')], 'csv')).toEqual({
      fields: {
        marketing_consent: true,
        custom_fields: { x: 4.5, free: '007', list: [1, 2] },
      },
    });
  });

  test('names everything that is wrong with it', () => {
    const row = {
      email: 'nonsense',
      phone: '1'.repeat(51),
      marketing_consent: 'maybe',
      shoe_size: '42',
      'custom_fields.x': 'many',
      'custom_fields.__proto__': 'x',
    };
    const { message } = parseRow(row, [field('number')], 'csv') as { message: string };
    expect(message.split('; ')).toEqual([
      'unknown column shoe_size',
      'email must be an e-mail address',
      'phone must be at most 50 characters long',
      'marketing_consent must be true or false',
      '__proto__ is no name for a custom field',
    ]);
  });

  test('takes null in NDJSON as an emptied field', () => {
    expect(parseRow({ phone: null, custom_fields: { a: null } }, [], 'ndjson')).toEqual({
      fields: { phone: null, custom_fields: { a: null } },
    });
    expect(parseRow({ custom_fields: [] }, [], 'ndjson')).toHaveProperty('message');
    expect(parseRow({ email: 5 }, [], 'ndjson')).toHaveProperty('message');
  });
});
