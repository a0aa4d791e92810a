import { bareFieldName, customFieldOf, customFieldPath } from './custom-fields';

test('a custom field is found by the name that it was given, whatever that looks like', () => {
  for (const name of ['city', 'custom_fields.', 'custom_fields.city', 'a.b', ''])
    expect(customFieldOf(customFieldPath(name))).toBe(name);
});

test('a column is no custom field, and neither is one whose name begins alike', () => {
  expect(['email', 'custom_fields', 'custom_fieldsXcity'].map(customFieldOf)).toEqual([
    null,
    null,
    null,
  ]);
});

test('a field has one bare name, with the prefix or without', () => {
  expect(bareFieldName('city')).toBe('city');
  expect(bareFieldName('custom_fields.city')).toBe('city');
});
