import { ask, CONSENT_WORDS, define, filledIn, formAsking, wrongFields } from '../../testing/forms';
import { consentTextOf, problemsWith } from './form';

const typed = (type: string, answer: string | number | boolean, required = false) =>
  wrongFields([ask('q', { type, required })], { custom_fields: { q: answer } }).length === 0;

test.each<[string, string[], string[]]>([
  [
    'email',
    ['a@b.example', 'ann.b@mail.shop.example'],
    ['a b@c.example', 'a@b', 'to a@b.example', 'a@b.example or b', 'a@b@c.example', '@b.example'],
  ],
  ['phone', ['600 100 200', '+48 (600) 100-200', '112'], ['+48 600 ext. 5', 'tel +48 600', '12']],
  ['date', ['2024-02-29', '2026-12-31'], ['2023-02-29', '2023-13-01', '2023-04-31', '2023-00-10']],
  ['date', [], ['on 2026-01-31', '2026-01-31T10:00:00Z', '31.01.2026']],
  [
    'url',
    ['http://shop.example', 'HTTPS://shop.example/a'],
    ['see http://shop.example', 'ftp://a'],
  ],
  ['url', [], ['file:///http://a', 'https://']],
])('an answer of type %s is one of it as a whole', (type, right, wrong) => {
  expect(right.map((answer) => typed(type, answer))).toEqual(right.map(() => true));
  expect(wrong.map((answer) => typed(type, answer))).toEqual(wrong.map(() => false));
  expect(typed(type, 5)).toBe(false);
});

test.each([
  ['number', 7, '7'],
  ['number', 0.5, true],
  ['number', 7, Number.NaN],
  ['boolean', false, 'false'],
  ['checkbox', false, 'true'],
  ['text', 'x'.repeat(1_000), 'x'.repeat(1_001)],
  ['textarea', 'two\nlines', 5],
] as const)('a question of type %s takes %j, not %j', (type, right, wrong) => {
  expect([typed(type, right), typed(type, wrong)]).toEqual([true, false]);
});

test('a box is ticked only where it must be, and an empty answer is none', () => {
  expect(typed('checkbox', true, true)).toBe(true);
  expect(typed('checkbox', false, true)).toBe(false);
  for (const nothing of ['', '  ']) {
    expect(typed('number', nothing)).toBe(true);
    expect(typed('text', nothing, true)).toBe(false);
  }
});

test('a phone is at most 50 characters long, and one that is asked for is a number to call', () => {
  const phone = (phone: string) => wrongFields([ask('phone', { type: 'phone' })], { phone });
  expect(phone('1'.repeat(50))).toEqual([]);
  expect(phone('call me')).toEqual(['phone']);
  expect(wrongFields([], { phone: '1'.repeat(50) })).toEqual([]);
  expect(wrongFields([], { phone: '1'.repeat(51) })).toEqual(['phone']);
  expect(wrongFields([], { phone: '1\n2' })).toEqual(['phone']);
});

test('the types of built-in questions are ours, whatever form and data model say', () => {
  const definitions = ['referral_code', 'last_name', 'email', 'first_name', 'birth_date'].map(
    (name) => define(name, { field_type: 'number' }),
  );
  const asked = definitions.map(({ field_name }) => ask(field_name, { type: 'number' }));
  const answers = { last_name: 'Lo', custom_fields: { birth_date: '2000-01-01' } };
  expect(wrongFields(asked, answers, definitions)).toEqual([]);
  const types = formAsking([ask('referral_code')], { definitions }).fields.map(({ type }) => type);
  expect(types).toEqual(['text']);
});

test('two names of one type are the same type, and the question stays as it was asked', () => {
  for (const [asked, defined] of [
    ['tel', 'phone'],
    ['checkbox', 'boolean'],
    ['textarea', 'text'],
    ['text', 'textarea'],
  ] as const) {
    const question = ask('q', { type: asked, options: ['kept'] });
    const definitions = [define('q', { field_type: defined })];
    expect(formAsking([question], { definitions }).fields).toEqual([question]);
  }
});

test('a custom field that another column of the system has the name of is typed by the form', () => {
  const definitions = [define('q', { field_type: 'number', is_system: true })];
  expect(formAsking([ask('q')], { definitions }).fields).toEqual([ask('q')]);
});

test('only at its beginning does a name tell that it is of a custom field', () => {
  const [named, other] = formAsking([ask('custom_fields.a'), ask('my.custom_fields.a')]).fields;
  expect([named?.name, other?.name]).toEqual(['a', 'my.custom_fields.a']);
});

test('consent that must be given and is not asked for is a question of its own, with two answers', () => {
  const { fields } = formAsking([ask('city')], { consent: true });
  const consent = { label: CONSENT_WORDS, type: 'boolean', required: true };
  expect(fields).toEqual([ask('city'), ask('marketing_consent', consent)]);
  expect(
    consentTextOf(formAsking([ask('city'), ask('marketing_consent', { label: 'News?' })])),
  ).toBe('News?');
  expect(consentTextOf(formAsking([ask('city')]))).toBeNull();
});

test('a name asked for is required only where form, data model or we say so', () => {
  const { fields } = formAsking([ask('marketing_consent'), ask('birth_date'), ask('email')]);
  expect(fields.map(({ required }) => required)).toEqual([false, false, true]);
});

test('consent is what was said of it: given, refused, or nothing', () => {
  expect(filledIn({ marketing_consent: true })).toMatchObject({ marketing_consent: true });
  expect(filledIn({ marketing_consent: false })).toMatchObject({ marketing_consent: false });
  expect(filledIn()).not.toHaveProperty('marketing_consent');
});

test('consent that is required is asked for once, and given is right', () => {
  const consent = ask('marketing_consent', { required: true });
  const wrong = (marketing_consent?: boolean) =>
    problemsWith(
      formAsking([consent]),
      filledIn({ ...(marketing_consent === undefined ? {} : { marketing_consent }) }),
      undefined,
    );
  expect(wrong()).toEqual([
    { field: 'marketing_consent', message: expect.stringMatching(/required/) },
  ]);
  expect(wrong(false)).toHaveLength(1);
  expect(wrong(true)).toEqual([]);
});

test('a first name that is missing is named once, also where the form asks for it', () => {
  expect(wrongFields([ask('first_name')], { first_name: ' ' })).toEqual(['first_name']);
  expect(wrongFields([], { first_name: '' })).toEqual(['first_name']);
});

test('spaces around an address, a name or a number are no part of it', () => {
  expect(filledIn({ email: ' bo@mail.example ', last_name: ' Lo ', phone: ' 112 ' })).toMatchObject(
    {
      email: 'bo@mail.example',
      last_name: 'Lo',
      phone: '112',
    },
  );
});

test('a phone or birth date among the custom fields that is null is none, and a number is refused', () => {
  const none = filledIn({ custom_fields: { phone: null, birth_date: null } });
  expect([none.phone, none.birth_date, none.custom_fields]).toEqual([null, null, {}]);
  expect(wrongFields([], { custom_fields: { birth_date: 2_000 } })).toEqual([
    'custom_fields.birth_date',
  ]);
});

test('what is required and missing is named at its place in the body', () => {
  const names = ['phone', 'birth_date', 'referral_code', 'city'];
  const fields = names.map((name) => ask(name, { required: true }));
  expect(wrongFields(fields, {})).toEqual([
    'phone',
    'custom_fields.birth_date',
    'referral_code',
    'custom_fields.city',
  ]);
});

test('a referral code of the form answers its question, one among the custom fields does not', () => {
  const required = [ask('referral_code', { required: true })];
  expect(problemsWith(formAsking(required), filledIn(), 'ABC')).toEqual([]);
  expect(wrongFields(required, { custom_fields: { referral_code: 'ABC' } })).toEqual([
    'referral_code',
    'custom_fields.referral_code',
  ]);
});

test('a name that the form did not ask for comes back no longer than a name can be', () => {
  const [place] = wrongFields([], { custom_fields: { ['x'.repeat(500)]: 1 } });
  expect(place).toBe(`custom_fields.${'x'.repeat(80)}`);
});
