import type { clients } from '@laurel/rpc';
import { crmSync, mapFields } from './provider';

const client = {
  id: 'c-1',
  workspace_id: 'w-1',
  first_name: 'Ada',
  email: 'ada@mail.example',
  status: 'active',
  custom_fields: { city: 'Rome', 'Shoe size': 43 },
} as unknown as clients.Client;

test('a client is sent under the names of the CRM; what is not known is null', () => {
  const mapping = {
    email: 'Email',
    last_name: 'Surname',
    'custom_fields.city': 'Town',
    'custom_fields.pet': 'Pet',
    'custom_fields.toString': 'Text',
    'custom_fields.Shoe size': 'Size',
  };
  const { value } = crmSync.configSchema.validate({ field_mapping: mapping });
  expect(mapFields(client, value.field_mapping)).toEqual({
    Email: 'ada@mail.example',
    Surname: null,
    Town: 'Rome',
    Pet: null,
    Text: null,
    Size: 43,
  });
});

test('without a mapping, the whole client is sent under our own names', () => {
  expect(mapFields(client)).toMatchObject({
    id: 'c-1',
    first_name: 'Ada',
    phone: null,
    custom_fields: { city: 'Rome', 'Shoe size': 43 },
  });
  expect(mapFields(client)).not.toHaveProperty('workspace_id');
});

test.each([
  [{ nickname: 'Nick' }],
  [{ 'custom_fields.': 'x' }],
  [{ 'custom_fields.__proto__': 'x' }],
  [{ 'custom_fields._bsontype': 'x' }],
  [{ email: '_bsontype' }],
  [{ email: '' }],
  [{ email: 5 }],
  ['email'],
])('a field mapping of %o is refused', (mapping) => {
  expect(
    crmSync.configSchema.validate({ field_mapping: mapping }, { convert: false }).error,
  ).toBeDefined();
});
