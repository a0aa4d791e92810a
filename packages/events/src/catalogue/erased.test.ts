import { catalogue } from '.';
import { erasedData, erasedUnder, isPersonal } from './erased';

/** Members under which somebody may write who a client is. */
const TELLING =
  /^(first_name|last_name|email|phone|birth_date|custom_fields|marketing_consent_text|metadata|payload|old_value|new_value|note)$/;

function pathsOf(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = [...path, name];
    return [...(TELLING.test(name) ? [own.join('.')] : []), ...pathsOf(member, own)];
  });
}

const telling = catalogue
  .map((definition) => [definition, pathsOf(definition.example)] as const)
  .filter(([, paths]) => paths.length > 0)
  .map(([definition, paths]) => [definition.type, definition, paths] as const);

test.each(telling)('%s says which of its members may say who the client is', (_, it, paths) => {
  expect(Object.keys(it.personal)).toEqual(expect.arrayContaining(paths));
});

const personal = catalogue.filter((definition) => isPersonal(definition));

test.each(personal.map((definition) => [definition.type, definition] as const))(
  '%s is still one when the person is taken out of it',
  (type, { schema, example, personal }) => {
    const erased = erasedData(type, example);
    expect(schema.validate(erased, { convert: false }).error).toBeUndefined();
    for (const [path, empty] of Object.entries(personal)) {
      const left = path
        .split('.')
        .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], erased);
      expect(left).toEqual(empty);
    }
  },
);

test('taking a person out of an event leaves what was given as it was', () => {
  const data = { client_id: 'c', client: { first_name: 'Ada', status: 'active' } };
  const before = structuredClone(data);
  expect(erasedData('clients.created', data).client.first_name).toBeNull();
  expect(data).toEqual(before);
});

test.each(
  personal.filter(({ webhook }) => webhook !== null).map((definition) => [definition] as const),
)('what webhooks carry of $type loses as much', ({ type, webhook, example }) => {
  const name = String(webhook).replace('*', 'visit');
  expect(erasedUnder(name, example)).toEqual(erasedData(type, example));
});

test.each([
  ['status', 'active', 'anonymized'],
  ['marketing_consent', 'true', 'false'],
  ['loyalty_program_enabled', 'true', null],
])(
  'a change of %s from %s to %s stays as it is: it tells nothing of who the client is',
  (field_name, old_value, new_value) => {
    const change = { client_id: 'c', field_name, old_value, new_value, source: 'anonymize' };
    expect(erasedData('clients.field_change', change)).toEqual(change);
    expect(erasedUnder('field_change', change)).toEqual(change);
  },
);

test.each([
  ['status', 'married to Ada', 'active'],
  ['marketing_consent', 'true', 'ask Ada'],
  ['first_name', 'active', 'Ada'],
])(
  'a change of %s from %s to %s loses its values, also of a custom field that is called like a column',
  (field_name, old_value, new_value) => {
    const change = { client_id: 'c', field_name, old_value, new_value, source: 'api' };
    const left = { ...change, old_value: null, new_value: null };
    expect(erasedData('clients.field_change', change)).toEqual(left);
  },
);

test('what came with a change that was posted goes, also where the change itself stays readable', () => {
  const change = { client_id: 'c', field_name: 'status', old_value: null, new_value: 'active' };
  const told = { ...change, source: 'api', metadata: { by: 'Ada' } };
  const left = { ...told, new_value: null, metadata: {} };
  expect(erasedData('clients.field_change', told)).toEqual(left);
  const silent = { ...told, metadata: {} };
  expect(erasedData('clients.field_change', silent)).toEqual(silent);
});

test('what is not there does not come about by erasing it', () => {
  expect(erasedData('clients.created', { client_id: 'c' })).toEqual({ client_id: 'c' });
});
