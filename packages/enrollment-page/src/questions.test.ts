import { createLanguage, LANGUAGES } from './language.ts';
import { answersOf, questionsOf, type Value } from './questions.ts';
import { isLight } from './style.ts';

const language = createLanguage('en');
const ask = (name: string, type = 'text', required = false) => ({
  name,
  label: name,
  type,
  required,
});
const namesOf = (asked: ReturnType<typeof ask>[], code: string | null = null) =>
  questionsOf(asked, code, language).map(({ name }) => name);

describe('the questions', () => {
  test('are name and address where the form asks for nothing', () => {
    expect(namesOf([])).toEqual(['first_name', 'email']);
  });

  test('are in the order of the form, with consent at the end', () => {
    const asked = [ask('marketing_consent'), ask('email'), ask('city'), ask('first_name')];
    expect(namesOf(asked)).toEqual(['email', 'city', 'first_name', 'marketing_consent']);
  });

  test('are for a code where somebody came with one, or the form asks', () => {
    expect(namesOf([], 'ABCD2345')).toEqual(['first_name', 'email', 'referral_code']);
    expect(namesOf([ask('referral_code')], 'ABCD2345')).toEqual([
      'first_name',
      'email',
      'referral_code',
    ]);
  });

  test('are asked as what they are', () => {
    const asked = [ask('phone'), ask('birth_date'), ask('marketing_consent', 'boolean')];
    const types = questionsOf(asked, null, language).map(({ type }) => type);
    expect(types).toEqual(['text', 'email', 'tel', 'date', 'checkbox']);
  });
});

test('what was left empty is not sent, and consent only where it was given', () => {
  const asked = [
    ask('phone'),
    ask('age', 'number'),
    ask('vip', 'boolean'),
    ask('city'),
    ask('marketing_consent'),
  ];
  const questions = questionsOf(asked, '', language);
  const filled: Record<string, Value> = { first_name: ' Bo ', email: 'b@x.example', age: '7' };
  const answers = (more: Record<string, Value>) =>
    answersOf(questions, (name) => ({ ...filled, ...more })[name] ?? '');
  const vip = { vip: false, marketing_consent: false, city: '  ' };
  expect(answers(vip)).toEqual({
    first_name: 'Bo',
    email: 'b@x.example',
    custom_fields: { age: 7, vip: false },
  });
  expect(answers({ marketing_consent: true, referral_code: 'AB' })).toMatchObject({
    marketing_consent: true,
    referral_code: 'AB',
  });
});

test('every language says everything, with the same places for names', () => {
  const places = (sentence: string) => sentence.match(/\{\w+\}/g) ?? [];
  const { en, ...others } = LANGUAGES;
  for (const words of Object.values(others)) {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en!).sort());
    for (const [key, sentence] of Object.entries(en!))
      expect([key, places(words[key as keyof typeof words])]).toEqual([key, places(sentence)]);
  }
});

test('a locale that is not spoken is English', () => {
  expect(createLanguage('pl_PL').code).toBe('pl');
  expect(createLanguage('xx').say('title', { name: '{name}' })).toBe('Join {name}');
});

test.each([
  ['#ffffff', true],
  ['#facc15', true],
  ['#14532d', false],
  ['#000000', false],
  ['red', false],
])('text on %s is dark: %s', (color, dark) => {
  expect(isLight(color)).toBe(dark);
});
