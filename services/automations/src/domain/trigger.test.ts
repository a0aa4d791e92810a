import type { TriggerType } from '@laurel/contract';
import { type Effect, newRule, type Rule, type TriggerConfig } from './rule';
import { matches, mismatchOf, type Trigger, trigger } from './trigger';

const at = new Date('2026-01-01T00:00:00.000Z');

function rule(trigger_type: TriggerType, trigger_config: TriggerConfig) {
  const identity = { id: 'r', workspaceId: 'w', now: at };
  return newRule(identity, { name: 'r', trigger_type, trigger_config, effects: [] });
}

function happened(type: TriggerType, eventType: string, known: Partial<Trigger> = {}) {
  const identity = { eventId: 'e', eventCategory: type, clientId: 'c', at };
  return trigger({ type, eventType, ...identity, ...known });
}

describe('a rule asks for', () => {
  test('purchases, unless it names other transactions', () => {
    const [purchase, refund] = ['purchase', 'refund'].map((type) =>
      happened('transaction', type, { amount: 10 }),
    ) as [Trigger, Trigger];
    expect(matches(rule('transaction', {}), purchase)).toBe(true);
    expect(matches(rule('transaction', {}), refund)).toBe(false);
    expect(matches(rule('transaction', { event_types: ['refund'] }), refund)).toBe(true);
  });

  test.each([
    [9.99, false],
    [10, true],
    [20, true],
    [20.01, false],
  ])('amounts from min to max, both included: %p', (amount, expected) => {
    const asked = rule('transaction', { min_amount: 10, max_amount: 20 });
    expect(matches(asked, happened('transaction', 'purchase', { amount }))).toBe(expected);
  });

  test.each([
    [{}, '1', '2', true],
    [{ change_direction: 'increase' }, '1', '2', true],
    [{ change_direction: 'increase' }, null, '2', true],
    [{ change_direction: 'increase' }, '10', '9', false],
    [{ change_direction: 'decrease' }, '10', '9', true],
    [{ change_direction: 'decrease' }, '10', null, false],
    [{ change_direction: 'increase' }, 'a', 'b', false],
    [{ change_direction: 'to_value', value: 'vip' }, 'new', 'vip', true],
    [{ change_direction: 'to_value', value: 5 }, '4', '5', true],
    [{ change_direction: 'to_value', value: 'vip' }, 'vip', null, false],
    [{ change_direction: 'to_value', value: 'vip' }, 'vip', 'new', false],
    [{ change_direction: 'increase' }, '5', '5.0', false],
    [{ change_direction: 'decrease' }, '5', '5.0', false],
    [{ change_direction: 'decrease' }, '9', '10', false],
    [{ change_direction: 'decrease' }, '5', ' ', false],
    [{ change_direction: 'decrease' }, '5', '', false],
    [{ field_names: ['city'] }, 'a', 'b', false],
    [{ field_names: ['city', 'level'] }, 'a', 'b', true],
  ] as const)('changes %p from %p to %p: %p', (config, oldValue, newValue, expected) => {
    const change = happened('field_change', 'field_updated', {
      fieldName: 'level',
      oldValue,
      newValue,
    });
    expect(matches(rule('field_change', config as TriggerConfig), change)).toBe(expected);
  });

  test('one role of a referral, or either', () => {
    const referee = happened('referral', 'referral_completed', { role: 'referee' });
    expect(matches(rule('referral', {}), referee)).toBe(true);
    expect(matches(rule('referral', { role: 'any' }), referee)).toBe(true);
    expect(matches(rule('referral', { role: 'referee' }), referee)).toBe(true);
    expect(matches(rule('referral', { role: 'referrer' }), referee)).toBe(false);
  });

  test('the completion of a referral, where it names no other event: none that only began, expired or was cancelled', () => {
    for (const type of ['referral_created', 'referral_expired', 'referral_cancelled']) {
      const other = happened('referral', type, { role: 'referrer' });
      expect(mismatchOf(rule('referral', { role: 'referrer' }), other)).toBe('event_types');
      expect(matches(rule('referral', { event_types: [] }), other)).toBe(false);
      expect(matches(rule('referral', { event_types: [type] }), other)).toBe(true);
    }
  });

  test('its own kind of event only', () => {
    const custom = happened('custom_event', 'quiz_done');
    expect(matches(rule('custom_event', { event_types: ['quiz_done'] }), custom)).toBe(true);
    expect(matches(rule('custom_event', { event_types: ['other'] }), custom)).toBe(false);
    expect(matches(rule('loyalty', {}), custom)).toBe(false);
  });
});

test.each([
  ['trigger_type', rule('loyalty', {}), happened('referral', 'referral_completed')],
  [
    'event_types',
    rule('loyalty', { event_types: ['points_spent'] }),
    happened('loyalty', 'points_earned'),
  ],
  ['amount', rule('transaction', {}), happened('transaction', 'purchase')],
  [
    'min_amount',
    rule('transaction', { min_amount: 5 }),
    happened('transaction', 'purchase', { amount: 4 }),
  ],
  [
    'max_amount',
    rule('transaction', { max_amount: 5 }),
    happened('transaction', 'purchase', { amount: 6 }),
  ],
  [
    'role',
    rule('referral', { role: 'referee' }),
    happened('referral', 'referral_completed', { role: 'referrer' }),
  ],
  [
    'field_names',
    rule('field_change', { field_names: ['city'] }),
    happened('field_change', 'field_updated', { fieldName: 'level' }),
  ],
  [
    'change_direction',
    rule('field_change', { change_direction: 'increase' }),
    happened('field_change', 'field_updated', { oldValue: '2', newValue: '1' }),
  ],
])('a happening that a rule does not ask for is named by its %s', (mismatch, asking, event) => {
  expect(mismatchOf(asking, event)).toBe(mismatch);
});

describe('a purchase that somebody made up without an amount', () => {
  const madeUp = happened('transaction', 'purchase', { isSynthetic: true });
  const awarding = (amount_expression: string) => {
    const earn = { type: 'earn_points', wallet_type_code: 'points' } as const;
    const effects: Effect[] = ['1', amount_expression].map((expression) => ({
      ...earn,
      amount_type: 'expression',
      amount_expression: expression,
    }));
    return { ...rule('transaction', {}), effects };
  };

  test('is what a rule asks for that looks at no amount', () => {
    expect(matches(rule('transaction', {}), madeUp)).toBe(true);
    expect(matches(awarding('5'), madeUp)).toBe(true);
    expect(matches(awarding('event.amounts'), madeUp)).toBe(true);
  });

  test.each<[string, Rule]>([
    ['a least amount', rule('transaction', { min_amount: 0 })],
    ['a greatest amount', rule('transaction', { max_amount: 9 })],
    ['both', rule('transaction', { min_amount: 1, max_amount: 9 })],
    ...['event.amount * 2', '2 * event .amount', 'event. amount', 'event  .  amount'].map(
      (expression): [string, Rule] => [expression, awarding(expression)],
    ),
  ])('is not what a rule asks for that has %s', (_, asking) => {
    expect(mismatchOf(asking, madeUp)).toBe('amount');
  });
});
