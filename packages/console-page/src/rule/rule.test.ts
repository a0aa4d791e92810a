import { createLanguage } from '@laurel/page-kit/language';
import fc from 'fast-check';
import { createFormat } from '../format/format';
import { en } from '../words/en';
import type { Condition, Effect, Names, RuleBody } from './body';
import { EXAMPLES, exampleRule } from './examples';
import {
  type ConditionPill,
  readAmount,
  readCondition,
  writeAmount,
  writeCondition,
} from './formula';
import { type Telling, tellCondition, tellEffect, tellRule } from './sentence';
import { unshownOf } from './unshown';

const language = createLanguage('en-GB', en);
const names: Names = {
  currencies: [
    { code: 'beans', name: 'Beans', unit_singular_name: 'bean', unit_plural_name: 'beans' },
  ],
  tiers: [{ id: 't', name: 'Gold' }],
  segments: [],
  rewards: [],
  cards: [],
  webhooks: [],
  fields: [],
  usualRate: 2,
};
const telling: Telling = {
  say: language.say,
  knows: language.knows,
  format: createFormat('en-GB', 'Europe/Berlin', 'EUR'),
  names,
  days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
};

describe('a condition', () => {
  const hours = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 24 }))
    .filter(([from, to]) => from < to)
    .map(([from, to]) => ({ from, to }));
  const time = fc.record({
    kind: fc.constant('time' as const),
    days: fc.subarray([1, 2, 3, 4, 5, 6, 7]),
    hours: fc.option(hours),
  });
  test('that the forms wrote is read back as it was', () => {
    fc.assert(
      fc.property(time, (pill) => {
        expect(readCondition(writeCondition(pill))).toEqual(pill);
      }),
    );
    expect(readCondition(writeCondition({ kind: 'birthday' }))).toEqual({ kind: 'birthday' });
  });

  test('that somebody wrote by hand is never rewritten', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(writeCondition(readCondition(text))).toBe(text);
      }),
    );
    for (const text of [
      'weekday(event.event_timestamp) in [2.0] && event.amount > 3.0',
      'weekday(event.event_timestamp) in [2.0,3.0]',
      'hour(event.event_timestamp) >= 11.0 && hour(event.event_timestamp) < 8.0',
    ]) {
      const pill: ConditionPill = readCondition(text);
      expect(pill).toEqual({ kind: 'formula', text });
    }
  });
});

describe('an amount', () => {
  test('for each unit of money is read back as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), (tenths) => {
        const pill = { kind: 'perMoney' as const, factor: tenths / 10 };
        expect(readAmount(writeAmount(pill))).toEqual(pill);
      }),
    );
  });
  test('of any other shape stays a formula', () => {
    expect(readAmount('event.amount * 2')).toEqual({ kind: 'formula', text: 'event.amount * 2' });
  });
  test('reads as so many for each unit of money with the two decimals of the first run, too', () => {
    const rule = exampleRule('purchase', language.say, names);
    const effects = [{ ...rule.effects[0]!, amount_expression: 'event.amount * 2.00' }];
    expect(tellRule(telling, { ...rule, effects } as RuleBody)).toBe(
      'When a purchase is recorded, then 2 beans for each €1.00.',
    );
  });
});

describe('the sentence of a rule', () => {
  test('says when, if and then in shop words', () => {
    const rule = exampleRule('happyHour', language.say, names);
    expect(tellRule(telling, rule)).toBe(
      'When a purchase is recorded, if it is Tue between 8 and 11 o’clock, then 2 beans for each €1.00.',
    );
    const big = exampleRule('bigBasket', language.say, names);
    expect(tellRule(telling, big)).toBe(
      'When a purchase is recorded of at least €50.00, then 100 beans.',
    );
  });
  test('has a word for whatever happens, and doubles what the shop usually gives', () => {
    const tell = (example: (typeof EXAMPLES)[number]) =>
      tellRule(telling, exampleRule(example, language.say, names));
    expect(tell('welcome')).toContain('this happens: Card put on the phone, then');
    expect(tell('referral')).toContain('this happens: Friend joined, then');
    expect(tell('happyHour')).toContain('then 2 beans for each €1.00');
    expect(tell('fifthVisit')).toContain('if purchases are at least 5');
  });
  test.each(EXAMPLES)(
    'can be put into words for the example %s, which is switched off',
    (example) => {
      const rule = exampleRule(example, language.say, names);
      expect(tellRule(telling, rule)).not.toContain('undefined');
      expect(rule.active).toBe(false);
    },
  );
});

describe('the sentence of a rule says', () => {
  const stamps = {
    code: 'stamps',
    name: 'Stamps',
    unit_singular_name: null,
    unit_plural_name: null,
  };
  const both = { ...telling, names: { ...names, currencies: [...names.currencies, stamps] } };
  const earned = (wallet_type_code?: string): Condition => ({
    type: 'client_metric',
    metric: 'points_earned',
    operator: 'gte',
    value: 10,
    ...(wallet_type_code === undefined ? {} : { wallet_type_code }),
  });
  test.each([
    ['alone', telling, undefined, 'points earned are at least 10'],
    ['among several', both, undefined, 'points earned (all together) are at least 10'],
    ['among several', both, 'stamps', 'points earned (Stamps) are at least 10'],
    ['gone', telling, 'stamps', 'points earned (?) are at least 10'],
  ])('of which currency points are counted: one %s', (_, words, code, said) => {
    expect(tellCondition(words, earned(code))).toBe(said);
  });

  test.each<[Effect, string]>([
    [{ type: 'assign_tier', tier_id: 't', duration_days: 30 }, 'the tier Gold for 30 days'],
    [{ type: 'assign_tier', tier_id: 't', duration_days: null }, 'the tier Gold'],
    [{ type: 'switch_template', template_id: 'c', duration_days: 1 }, 'the card “?” for 1 day'],
    [{ type: 'switch_template', template_id: 'c' }, 'the card “?”'],
    [{ type: 'remove_tier', tier_id: 't' }, 'no longer the tier Gold'],
    [{ type: 'remove_tier' }, 'no tier any more'],
    [{ type: 'send_push', title: 'Hello', body: 'Beans!' }, 'the message “Hello – Beans!”'],
  ])('for how long something is given, and what of it is taken: %j', (effect, said) => {
    expect(tellEffect(telling, effect)).toBe(said);
  });
});

describe('what a rule holds beyond its form', () => {
  const effects: Effect[] = [{ type: 'remove_tier' }];
  test('is named with its value', () => {
    const rule: RuleBody = {
      name: 'Up',
      trigger_type: 'field_change',
      trigger_config: { field_names: ['visits'], change_direction: 'to_value', value: 0 },
      effects,
      description: 'Of last year',
      expiry_override: { expiry_days: 30, pending_days: null },
    };
    expect(unshownOf(rule)).toEqual([
      'trigger_config.change_direction: "to_value"',
      'trigger_config.value: 0',
      'description: "Of last year"',
      'expiry_override: {"expiry_days":30,"pending_days":null}',
    ]);
  });
  test('is nothing where a member says what its absence would', () => {
    const rule: RuleBody = {
      name: 'Up',
      trigger_type: 'field_change',
      trigger_config: { field_names: ['visits'], change_direction: 'any' },
      effects,
      description: null,
      expiry_override: { expiry_days: null, pending_days: null },
      limits: { per_client_budget: 5 },
    };
    expect(unshownOf(rule)).toEqual([]);
  });
});

test('a rule of the clock says when in words, as long as there are any', () => {
  const at = (cron: string) =>
    tellRule(telling, {
      name: '',
      trigger_type: 'time_based',
      trigger_config: { schedule: { cron } },
      effects: [],
    });
  expect(at('0 9 * * *')).toContain('it is 09:00, every day');
  expect(at('30 7 * * 1')).toContain('it is Mon 07:30');
  expect(at('0 9 1 * *')).toContain('0 9 1 * *');
});
