import { EVENT_CATEGORIES, LANGUAGES, TRIGGER_TYPES, type TriggerType } from '@laurel/contract';
import { Formulas } from './formula/formulas';
import {
  categoryChoices,
  EVENT_TYPES,
  functionTerms,
  triggerChoices,
  variableTerms,
} from './metadata';
import { configProblems } from './trigger-config';

const formulas = new Formulas();
const OTHERS = LANGUAGES.filter((language) => language !== 'en');
/** Words that are the same in both languages. */
const SHARED = ['Engagement'];

const english = (choices: { value: string; label: string }[]) =>
  Object.fromEntries(choices.map(({ value, label }) => [value, label]));

test('every kind of trigger may be chosen, and says which category its events are of', () => {
  const choices = triggerChoices('en');
  expect(choices.map(({ value }) => value).sort()).toEqual([...TRIGGER_TYPES].sort());
  expect(english(choices)).toMatchObject({ transaction: 'Transaction', time_based: 'Schedule' });
  expect(
    Object.fromEntries(choices.map(({ value, event_category: category }) => [value, category])),
  ).toEqual({
    transaction: 'transaction',
    custom_event: 'custom',
    field_change: 'field_change',
    pass_lifecycle: 'pass_lifecycle',
    time_based: null,
    loyalty: 'loyalty',
    referral: 'referral',
  });
});

test('a trigger is described with every key that its config may have', () => {
  for (const { value, description } of triggerChoices('en')) {
    const unknown = { unheard_of: 1 } as object;
    const [problem] = configProblems(value as TriggerType, unknown);
    const keys = problem!.complaint.split('which knows ')[1]!.split(', ');
    for (const key of keys) expect(description).toMatch(new RegExp(`Keys: .*\\b${key}\\b`));
  }
});

test('every category of events may be chosen, with the types that fire rules', () => {
  const choices = categoryChoices('en');
  expect(choices.map(({ value }) => value).sort()).toEqual([...EVENT_CATEGORIES].sort());
  expect(english(choices)).toMatchObject({ transaction: 'Transactions', referral: 'Referrals' });
  expect(Object.keys(EVENT_TYPES).sort()).toEqual([...EVENT_CATEGORIES].sort());
  expect(EVENT_TYPES.custom).toEqual([]);
  expect(EVENT_TYPES.engagement).toContain('check_in');
  expect(EVENT_TYPES.referral).toContain('referral_completed');
});

test('every choice has a name in English', () => {
  for (const { label } of [...triggerChoices('en'), ...categoryChoices('en')])
    expect(label).toMatch(/^[A-Z][a-z ]+$/);
});

describe.each(OTHERS)('in %s', (language) => {
  test.each([
    ['trigger', triggerChoices],
    ['category', categoryChoices],
  ])('every %s has a name of its own', (_, choicesIn) => {
    const names = english(choicesIn('en'));
    const choices = choicesIn(language);
    expect(choices).toHaveLength(Object.keys(names).length);
    for (const { value, label } of choices) {
      expect(label).toMatch(/^\p{Lu}.*\p{Ll}$/u);
      if (!SHARED.includes(label)) expect(label).not.toBe(names[value]);
    }
  });

  test('every variable says in the words of the language what it is of', () => {
    const told = new Map(variableTerms('en').map(({ name, description }) => [name, description]));
    for (const { name, description } of variableTerms(language)) {
      expect(description).toMatch(/\p{Ll}$/u);
      expect(description).not.toBe(told.get(name));
    }
  });
});

describe('what a formula may name', () => {
  const variables = variableTerms('en');

  test('is listed with a description and the type that people know', () => {
    const types = Object.fromEntries(variables.map(({ name, type }) => [name, type]));
    expect(types).toMatchObject({
      'client.first_name': 'string',
      'client.marketing_consent': 'boolean',
      'client.marketing_consent_at': 'timestamp',
      'client.registration_date': 'timestamp',
      'client.custom_fields': 'object',
      'event.amount': 'number',
      'wallet.<code>.active': 'number',
      'tier.name': 'string',
      'metrics.transaction_count': 'number',
      now: 'timestamp',
    });
    expect(variables).toContainEqual({
      name: 'client.age',
      type: 'number',
      description: 'of the client',
    });
    for (const { description } of variables) expect(description).toMatch(/\p{Ll}|0/u);
  });

  test.each(variables.map(({ name, type }) => [name.replace('<code>', 'points'), type]))(
    '%s can be asked for, and is a %s',
    (name, type) => {
      const verdict = formulas.check(name, ['points']);
      expect(verdict).toMatchObject({ valid: true });
      const plain = ['string', 'number', 'boolean'];
      if (plain.includes(type)) expect(verdict).toMatchObject({ returnType: type });
    },
  );
});

describe('what a formula may call', () => {
  const functions = functionTerms();

  test('is listed with how it is called, and what it says', () => {
    const names = functions.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['round', 'coalesce', 'isBirthday', 'daysBetween', 'getFullYear']),
    );
    for (const { name, type, description } of functions) {
      expect(type).toMatch(new RegExp(`^(t\\.)?${name}\\(.+\\): \\w+`));
      expect(description).toMatch(/^\p{L}.+\.$/u);
    }
  });

  const ofMoments = functions.filter(({ type }) => type.startsWith('t.'));

  test('knows the parts of a moment, each with what it counts', () => {
    expect(ofMoments).toHaveLength(6);
    expect(ofMoments[1]).toEqual({
      name: 'getMonth',
      type: 't.getMonth(zone): number',
      description:
        'Of a moment the month, 0 for January to 11, in the time zone that is named; in UTC where none is.',
    });
    for (const { description } of ofMoments)
      expect(description).toMatch(/^Of a moment the \w+( of the \w+)?(, \d.+)?, in the time zone/);
  });

  test.each(ofMoments.map(({ name }) => name))('%s is asked of a moment', (name) => {
    for (const zone of ['', '"Europe/Berlin"'])
      expect(formulas.check(`now.${name}(${zone})`, [])).toEqual({
        valid: true,
        returnType: 'number',
      });
  });
});
