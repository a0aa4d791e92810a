import { AMOUNT_MAX, toUnits, ZERO } from '@laurel/values/amount';
import { doesNothing, type PlannedEffect, planEffects, summaryOf, Unusable } from './plan';
import type { Effect } from './rule';

const never = (): never => {
  throw new Error('no formula is asked');
};
const planOf = (effects: Effect[], given: unknown = undefined) =>
  planEffects(
    { effects, expiry_override: null },
    given === undefined ? never : () => given as never,
  );
const planned = (effect: Effect, given?: unknown) => planOf([effect], given).effects[0];

test.each<[Effect, PlannedEffect]>([
  [
    { type: 'send_push', body: 'Hello' },
    { type: 'send_push', title: null, body: 'Hello' },
  ],
  [
    { type: 'send_push', title: 'Hi', body: 'Hello' },
    { type: 'send_push', title: 'Hi', body: 'Hello' },
  ],
  [
    { type: 'assign_tier', tier_id: 't' },
    { type: 'assign_tier', tier_id: 't', duration_days: null },
  ],
  [
    { type: 'assign_tier', tier_id: 't', duration_days: 3 },
    { type: 'assign_tier', tier_id: 't', duration_days: 3 },
  ],
  [{ type: 'remove_tier' }, { type: 'remove_tier', tier_id: null }],
  [
    { type: 'remove_tier', tier_id: 't' },
    { type: 'remove_tier', tier_id: 't' },
  ],
  [
    { type: 'switch_template', template_id: 'p' },
    { type: 'switch_template', template_id: 'p', duration_days: null },
  ],
  [
    { type: 'switch_template', template_id: 'p', duration_days: 3 },
    { type: 'switch_template', template_id: 'p', duration_days: 3 },
  ],
  [
    { type: 'give_reward', reward_id: 'r' },
    { type: 'give_reward', reward_id: 'r' },
  ],
])('%j is planned with everything decided', (effect, expected) => {
  expect(planned(effect)).toEqual(expected);
  expect(planOf([effect]).points).toBe(ZERO);
});

test.each<[PlannedEffect, string]>([
  [
    {
      type: 'earn_points',
      wallet_type_code: 'beans',
      points: 12.5,
      expiry_days: null,
      pending_days: null,
    },
    'earn 12.5 beans',
  ],
  [{ type: 'deduct_points', wallet_type_code: 'beans', amount: 3 }, 'deduct 3 beans'],
  [{ type: 'give_reward', reward_id: 'r' }, 'give a reward'],
  [{ type: 'update_client_field', field_name: 'source', value: 'shop' }, 'set source to "shop"'],
  [{ type: 'send_push', title: 'Hi', body: 'Hello' }, 'send "Hi"'],
  [{ type: 'send_push', title: null, body: 'Hello' }, 'send "Hello"'],
  [{ type: 'call_webhook', webhook_id: 'w' }, 'call a webhook'],
  [{ type: 'assign_tier', tier_id: 't', duration_days: null }, 'assign a tier'],
  [{ type: 'assign_tier', tier_id: 't', duration_days: 7 }, 'assign a tier for 7 days'],
  [{ type: 'remove_tier', tier_id: null }, 'remove the tier'],
  [{ type: 'switch_template', template_id: 'p', duration_days: null }, 'switch the pass template'],
  [
    { type: 'switch_template', template_id: 'p', duration_days: 7 },
    'switch the pass template for 7 days',
  ],
])('%j reads as a line for people', (effect, line) => {
  expect(summaryOf(effect)).toBe(line);
});

const earn: Effect = {
  type: 'earn_points',
  wallet_type_code: 'beans',
  amount_type: 'expression',
  amount_expression: 'x',
};

test('a plan does nothing only if all of it awards zero points', () => {
  expect(doesNothing(planOf([]))).toBe(true);
  expect(doesNothing(planOf([earn, earn], 0))).toBe(true);
  expect(doesNothing(planOf([earn], 1))).toBe(false);
  expect(doesNothing(planOf([earn, { type: 'give_reward', reward_id: 'r' }], 0))).toBe(false);
  const none = { ...earn, amount_type: 'fixed' as const, amount: 0 };
  const some = { ...none, amount: 1 };
  expect(doesNothing(planOf([none, some]))).toBe(false);
});

test.each([
  ['2', 'the amount formula did not give a number'],
  [Number.NaN, 'the amount formula did not give a number'],
  [-1, 'the amount formula gave -1, and points cannot be taken by earning'],
  [2e11, 'the amount formula gave 200000000000, and no more than 100000000000 can be earned'],
])('a formula that gives %p awards nothing, and says why', (given, message) => {
  expect(() => planned(earn, given)).toThrow(new Unusable(message));
  expect(() => planned(earn, given)).toThrow(expect.objectContaining({ name: 'Unusable' }));
});

test('as much as an amount can be is awarded, by one effect and by all together', () => {
  expect(planOf([earn], AMOUNT_MAX).points).toBe(toUnits(AMOUNT_MAX));
  expect(() => planOf([earn, earn], AMOUNT_MAX)).toThrow(
    new Unusable('the effects together award more than 100000000000 points'),
  );
});

test('a value that its field does not take is refused with what is wrong about it', () => {
  const update: Effect = {
    type: 'update_client_field',
    field_name: 'email',
    value_expression: 'x',
  };
  expect(() => planned(update, 'nobody')).toThrow(
    new Unusable('the value formula gave what cannot be kept: email must be an e-mail address'),
  );
});
