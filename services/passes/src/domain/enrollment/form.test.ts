import type { JsonObject } from '@laurel/errors';
import { ask, CONSENT_WORDS, define, filledIn, formAsking, wrongFields } from '../../testing/forms';
import { consentTextOf, problemsWith } from './form';

describe('the form that binds', () => {
  test('is what was asked, when nothing else is required', () => {
    const fields = [ask('city'), ask('phone', { required: true })];
    expect(formAsking(fields)).toEqual({ fields, requiresConsent: false });
  });

  test('requires e-mail and first name even where they are asked for as optional', () => {
    const { fields } = formAsking([ask('email'), ask('first_name'), ask('last_name')]);
    expect(fields.map(({ required }) => required)).toEqual([true, true, false]);
  });

  test('asks for what the data model requires, once', () => {
    const definitions = [
      define('city', { is_required: true }),
      define('shop', { is_required: true, field_type: 'select', options: ['A'] }),
      define('email', { is_required: true, is_system: true }),
      define('free'),
    ];
    expect(formAsking([ask('city')], { definitions }).fields).toEqual([
      ask('city', { required: true }),
      ask('shop', { type: 'select', required: true, options: ['A'] }),
    ]);
  });

  test('knows a custom field by its name alone and by its full one', () => {
    const definitions = [define('city', { is_required: true })];
    const asked = [ask('custom_fields.city')];
    const city = ask('city', { label: 'custom_fields.city', required: true });
    expect(formAsking(asked, { definitions }).fields).toEqual([city]);
  });

  test('asks for consent in words of ours only where it has none of its own', () => {
    expect(consentTextOf(formAsking([]))).toBeNull();
    expect(consentTextOf(formAsking([], { consent: true }))).toBe(CONSENT_WORDS);
    const own = ask('marketing_consent', { label: 'News?' });
    expect(formAsking([own], { consent: true })).toEqual({
      fields: [{ ...own, required: true }],
      requiresConsent: true,
    });
    expect(formAsking([own]).requiresConsent).toBe(false);
    expect(formAsking([{ ...own, required: true }]).requiresConsent).toBe(true);
  });
});

describe('what was filled in', () => {
  test('goes where it belongs, without the spaces around it', () => {
    const custom_fields = { phone: ' +48 1 ', birth_date: '2000-01-01', city: 'Ulm' };
    expect(filledIn({ first_name: ' Bo ', last_name: '  ', custom_fields })).toEqual({
      email: 'bo@mail.example',
      first_name: 'Bo',
      last_name: null,
      phone: '+48 1',
      birth_date: '2000-01-01',
      custom_fields: { city: 'Ulm' },
    });
  });

  test('keeps the phone of the form over one among the custom fields', () => {
    const { phone, custom_fields } = filledIn({ phone: '1', custom_fields: { phone: '2' } });
    expect([phone, custom_fields]).toEqual(['1', {}]);
  });

  test.each<[what: string, field: object, value: JsonObject, wrong: boolean]>([
    ['nothing for a question that is optional', {}, {}, false],
    ['nothing for a question that is required', { required: true }, {}, true],
    ['null for a question that is required', { required: true }, { q: null }, true],
    ['a number', { type: 'number' }, { q: 7 }, false],
    ['nought where a number is required', { type: 'number', required: true }, { q: 0 }, false],
    ['a number in a text', { type: 'number' }, { q: '7' }, true],
    ['a yes', { type: 'boolean', required: true }, { q: true }, false],
    ['a no where an answer is required', { type: 'boolean', required: true }, { q: false }, false],
    ['a box that must be ticked', { type: 'checkbox', required: true }, { q: false }, true],
    ['a day', { type: 'date' }, { q: '2024-02-29' }, false],
    ['a day that never was', { type: 'date' }, { q: '2023-02-29' }, true],
    ['an option', { type: 'select', options: ['a', 'b'] }, { q: 'b' }, false],
    ['no option', { type: 'select', options: ['a', 'b'] }, { q: 'c' }, true],
    ['an address', { type: 'email' }, { q: 'a@b.example' }, false],
    ['half an address', { type: 'email' }, { q: 'a@' }, true],
    ['a number to call', { type: 'phone' }, { q: '+48 600 100 200' }, false],
    ['letters to call', { type: 'tel' }, { q: 'call me' }, true],
    ['a web address', { type: 'url' }, { q: 'https://shop.example' }, false],
    ['a script for a web address', { type: 'url' }, { q: 'javascript:alert(1)' }, true],
    ['a list for a text', {}, { q: ['a'] }, true],
    ['a text beyond measure', {}, { q: 'x'.repeat(1_001) }, true],
  ])('%s', (_what, field, custom_fields, wrong) => {
    const found = wrongFields([ask('q', field)], { custom_fields });
    expect(found).toEqual(wrong ? ['custom_fields.q'] : []);
  });

  test('is nothing for an optional question of the name toString, to which every object answers', () => {
    expect(wrongFields([ask('toString')], { custom_fields: {} })).toEqual([]);
  });

  test('is typed by the data model, whatever the form says', () => {
    const definitions = [define('age', { field_type: 'number' })];
    const asked = [ask('age', { type: 'text' })];
    const wrong = wrongFields(asked, { custom_fields: { age: 'old' } }, definitions);
    expect(wrong).toEqual(['custom_fields.age']);
    expect(wrongFields(asked, { custom_fields: { age: 7 } }, definitions)).toEqual([]);
  });

  test('has only the options that form and data model both have', () => {
    const definitions = [define('size', { field_type: 'select', options: ['S', 'L'] })];
    const asked = [ask('size', { type: 'select', options: ['S', 'XL'] })];
    for (const [size, wrong] of [
      ['S', []],
      ['XL', ['custom_fields.size']],
      ['L', ['custom_fields.size']],
    ] as const)
      expect(wrongFields(asked, { custom_fields: { size } }, definitions)).toEqual(wrong);
  });

  test('holds nothing that the form does not ask for, defined or not', () => {
    const definitions = [define('vip', { field_type: 'boolean' })];
    const custom_fields = { vip: true, email: 'other@mail.example', x: { a: 1 }, city: 'Ulm' };
    expect(wrongFields([ask('city'), ask('email')], { custom_fields }, definitions)).toEqual([
      'custom_fields.vip',
      'custom_fields.email',
      'custom_fields.x',
    ]);
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, key) => [key, 'x']));
    expect(wrongFields([], { custom_fields: many })).toHaveLength(20);
  });

  test.each([
    ['first_name', { first_name: 'Urgent!\r\nGo to' }],
    ['last_name', { last_name: 'Lo \u202eelpmaxe.live' }],
    ['last_name', { last_name: 'a\0b' }],
    ['custom_fields.q', { custom_fields: { q: 'a\ud800b' } }],
    ['custom_fields.q', { custom_fields: { q: 'a\0b' } }],
  ])('%s holds no line breaks and no broken characters (%j)', (field, more) => {
    expect(wrongFields([ask('q')], more)).toEqual([field]);
  });

  test('names each thing that is wrong with its place', () => {
    const fields = [ask('last_name', { required: true }), ask('phone', { required: true })];
    const custom_fields = { birth_date: 'soon' };
    expect(wrongFields(fields, { first_name: ' ', custom_fields })).toEqual([
      'first_name',
      'custom_fields.birth_date',
      'last_name',
      'phone',
    ]);
    expect(wrongFields([], { custom_fields: { phone: 48 } })).toEqual(['custom_fields.phone']);
  });

  test.each([[undefined], [false]])('is refused without consent (%s)', (marketing_consent) => {
    const [problem] = problemsWith(
      formAsking([], { consent: true }),
      filledIn({ marketing_consent }),
      undefined,
    );
    expect(problem?.field).toBe('marketing_consent');
  });

  test('is never refused for its referral code, unless the form requires one and it is missing', () => {
    const code = ask('referral_code', { type: 'number' });
    expect(problemsWith(formAsking([code]), filledIn(), '?')).toEqual([]);
    const required = formAsking([{ ...code, required: true }]);
    expect(problemsWith(required, filledIn(), undefined)).toHaveLength(1);
    for (const odd of ['', '   ', '?']) expect(problemsWith(required, filledIn(), odd)).toEqual([]);
  });
});
