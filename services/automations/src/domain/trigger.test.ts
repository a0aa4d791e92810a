import type { TriggerType } from '@laurel/contract';
import { newRule, type TriggerConfig } from './rule';
import { matches, type Trigger, trigger } from './trigger';

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

  test('its own kind of event only', () => {
    const custom = happened('custom_event', 'quiz_done');
    expect(matches(rule('custom_event', { event_types: ['quiz_done'] }), custom)).toBe(true);
    expect(matches(rule('custom_event', { event_types: ['other'] }), custom)).toBe(false);
    expect(matches(rule('loyalty', {}), custom)).toBe(false);
  });
});
