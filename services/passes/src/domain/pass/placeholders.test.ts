import {
  fieldsIn,
  fillPlaceholders,
  type PassFacts,
  placeholderWarnings,
  tidyText,
} from './placeholders';

const facts: PassFacts = {
  passFields: { level: 'top' },
  identity: { first_name: 'Ada', last_name: null, email: 'ada@example.com' },
  customFields: { city: 'Berlin', seats: 3, level: 'low', tags: ['a'] },
  wallets: [
    {
      code: 'beans',
      is_default: true,
      points: 12.5,
      name: 'Beans',
      unit_singular_name: 'bean',
      unit_plural_name: 'beans',
    },
    {
      code: 'miles',
      is_default: false,
      points: 0,
      name: 'Miles',
      unit_singular_name: null,
      unit_plural_name: null,
    },
  ],
  tier: { name: 'Gold', level: 2 },
  referralCode: 'ABCD2345',
};

describe('a text with placeholders', () => {
  test.each([
    ['Hello {{first_name}}!', 'Hello Ada!'],
    ['{{ first_name }} from {{city}}', 'Ada from Berlin'],
    ['{{custom_fields.seats}}', '3'],
    ['{{last_name}}', ''],
    ['{{nobody}}', ''],
    ['{{tags}}', '["a"]'],
    ['${wallet.points} ${wallet.unit_plural_name}', '12.5 beans'],
    ['${wallet:miles.points} ${wallet:miles.name}', '0 Miles'],
    ['${wallet:other.points}', ''],
    ['${loyalty.tier} ${loyalty.tier_level} ${loyalty.referral_code}', 'Gold 2 ABCD2345'],
    ['${custom_fields.city}', 'Berlin'],
    ['${constructor}', ''],
    ['{{constructor}}', ''],
    ['{{custom_fields.__proto__}}', ''],
    ['no { placeholder } $ here', 'no { placeholder } $ here'],
    ['${mywallet.points}', ''],
    ['${wallet.points2}', ''],
    ['{{my.custom_fields.city}}', ''],
    ['{{custom_fields.first_name}}', ''],
  ])('%s reads %s', (text, filled) => {
    expect(fillPlaceholders(text, facts)).toBe(filled);
  });

  test('shows what the pass overrides in place of what is known of the client', () => {
    expect(fillPlaceholders('{{level}}', facts)).toBe('top');
  });

  test('is filled once: what a client wrote is no placeholder', () => {
    const identity = { first_name: '${wallet.points}' };
    expect(fillPlaceholders('{{first_name}}', { ...facts, identity })).toBe('${wallet.points}');
  });

  test('shows nothing of a client on a pass without one', () => {
    const nobody = { ...facts, identity: null, customFields: {}, wallets: [], tier: null };
    expect(fillPlaceholders('{{first_name}}${wallet.points}${loyalty.tier}', nobody)).toBe('');
  });
});

test.each([
  ['${loyalty.tier}/${loyalty.tier_level}', ''],
  ['Hello {{nonexistent}} points', 'Hello points'],
  ['{{first_name}}  {{city}}', 'Ada  Berlin'],
  ['No  placeholder', 'No  placeholder'],
])('what is missing in %s leaves no crumbs on a card', (text, shown) => {
  const identity = { first_name: 'Ada' };
  const known = {
    ...facts,
    passFields: {},
    identity,
    customFields: { city: 'Berlin' },
    tier: null,
  };
  expect(tidyText(text, known)).toBe(shown);
});

test.each(['{{unclosed', 'Points: ${wallet.points'])('%s is said to be no placeholder', (text) => {
  const known = { fields: new Set<string>(), walletCodes: new Set<string>() };
  expect(placeholderWarnings('logo_text', text, known)).toEqual([
    expect.objectContaining({ field: 'logo_text', message: expect.stringMatching(/not closed/) }),
  ]);
});

describe('a placeholder that nothing will ever fill', () => {
  const known = { fields: new Set(['city']), walletCodes: new Set(['beans']) };

  test.each([
    '{{first_name}}',
    '{{city}}',
    '{{custom_fields.city}}',
    '${custom_fields.city}',
    '${wallet.points}',
    '${wallet:beans.unit_singular_name}',
    '${loyalty.tier_level}',
  ])('is not %s', (text) => {
    expect(placeholderWarnings('x', text, known)).toEqual([]);
  });

  test.each([
    ['{{town}}', /no field town/],
    ['${custom_fields.town}', /no field town/],
    ['${loyalty.points}', /removed/],
    ['${wallet:miles.points}', /code miles/],
    ['${wallet.colour}', /not known/],
    ['${}', /not known/],
  ])('is %s', (text, message) => {
    expect(placeholderWarnings('back_fields.0.value', text, known)).toEqual([
      { field: 'back_fields.0.value', placeholder: text, message: expect.stringMatching(message) },
    ]);
  });
});

test('the fields of a client that a text shows are given by their bare names, and nothing else of it', () => {
  const text = '{{first_name}} {{ custom_fields.city }} ${custom_fields.size} ${wallet.points}';
  expect(fieldsIn(text)).toEqual(['first_name', 'city', 'size']);
  expect(fieldsIn('no field')).toEqual([]);
});

test('where nothing fills a placeholder, no space is left at either end', () => {
  expect(tidyText('{{last_name}} there {{last_name}}', facts)).toBe('there');
});

test('what was begun like a placeholder is quoted up to where it stops', () => {
  const known = { fields: new Set<string>(), walletCodes: new Set<string>() };
  const told = (text: string) =>
    placeholderWarnings('logo_text', text, known).map(({ placeholder }) => placeholder);
  expect(told('Hi {{first_name')).toEqual(['{{first_name']);
  expect(told('Hi ${wallet.points')).toEqual(['${wallet.points']);
  expect(told('{{email}} and {{')).toEqual(['{{']);
  expect(told('{{custom_fields.email}}')).toEqual(['{{custom_fields.email}}']);
});
