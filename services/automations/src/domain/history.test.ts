import { AMOUNT_MAX } from '@laurel/values/amount';
import type { Facts } from './facts';
import {
  approximationsFor,
  approximationsInPast,
  type ClientHistory,
  daysSincePrevious,
  factsAsOf,
  isEarnedBy,
  measuredAsOf,
  type Transaction,
  withEarned,
} from './history';
import type { Condition, Effect } from './rule';
import { type Trigger, trigger } from './trigger';

const DAY_MS = 86_400_000;
const on = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS);
const bought = (id: string, day: number, amount = 10, isRefund = false): Transaction => ({
  id,
  at: on(day),
  isRefund,
  amount,
});
const purchase = (id: string, day: number): Trigger =>
  trigger({
    type: 'transaction',
    eventId: id,
    eventType: 'purchase',
    eventCategory: 'transaction',
    clientId: 'c',
    at: on(day),
  });
const history: ClientHistory = {
  transactions: [
    bought('e', 40, 7),
    bought('a', 0, 0.1),
    bought('b', 0, 0.2),
    bought('d', 5, 0.1, true),
    bought('c', 3),
  ],
  earnings: [
    { at: on(1), walletTypeCode: 'points', amount: 5, isEarn: true, award: null },
    { at: on(2), walletTypeCode: 'stamps', amount: 1, isEarn: true, award: null },
    { at: on(4), walletTypeCode: 'points', amount: -2, isEarn: false, award: null },
    { at: on(9), walletTypeCode: 'points', amount: 50, isEarn: true, award: null },
  ],
  referrals: [on(2), on(8)],
};
const asked = { id: 'rule m', priority: 5 };
const wallet = { active: 1, pending: 2, locked: 3, earned: 99, spent: 5, expired: 6 };
const facts = { wallets: { points: wallet, stamps: wallet }, metrics: {} } as unknown as Facts;

describe('metrics as they were at an event', () => {
  test('count the event itself and what came before it, and nothing that came later', () => {
    const { metrics, wallets, now } = factsAsOf(facts, history, {
      rule: asked,
      happened: purchase('c', 3),
    });
    expect(metrics).toEqual({
      transaction_count: 3,
      total_spending: 10.3,
      points_earned: 6,
      referrals_completed: 1,
      days_since_last_transaction: 3,
    });
    expect(now).toEqual(on(3));
    expect([wallets.points!.earned, wallets.stamps!.earned]).toEqual([5, 1]);
    const last = { rule: asked, happened: purchase('e', 40) };
    expect(factsAsOf(facts, history, last).metrics).toMatchObject({
      transaction_count: 4,
      total_spending: 17.2,
      referrals_completed: 2,
    });
    const referred = { rule: asked, happened: purchase('x', 2) };
    expect(factsAsOf(facts, history, referred).metrics.referrals_completed).toBe(1);
  });

  test('count points of the currencies that are in use, as the rule does when it runs', () => {
    const inUse = { ...facts, wallets: { points: wallet } };
    const happened = purchase('c', 3);
    expect(factsAsOf(inUse, history, { rule: asked, happened }).metrics.points_earned).toBe(5);
  });

  test('tell events of one moment apart by their ids', () => {
    const counted = (id: string) =>
      factsAsOf(facts, history, { rule: asked, happened: purchase(id, 0) }).metrics
        .transaction_count;
    expect([counted('a'), counted('b')]).toEqual([1, 2]);
    expect(daysSincePrevious(history.transactions, purchase('a', 0))).toBeNull();
    expect(daysSincePrevious(history.transactions, purchase('b', 0))).toBe(0);
    const checkIn = { ...purchase('a', 0), type: 'custom_event' } as const;
    expect(daysSincePrevious(history.transactions, checkIn)).toBe(0);
  });

  test('know how long somebody was away, the purchase that brings them back left out', () => {
    expect(daysSincePrevious(history.transactions, purchase('e', 40))).toBe(37);
  });

  test('of wallets that are read anew leave the other figures as they are', () => {
    const known = { ...facts, metrics: { transaction_count: 3, points_earned: 0 } };
    const { metrics, wallets } = withEarned(known as Facts, (code) => code.length);
    expect(metrics).toEqual({ transaction_count: 3, points_earned: 12 });
    expect(wallets.points).toEqual({ ...wallet, earned: 6 });
  });

  test('add up also where they come to more than one amount can be', () => {
    const known = { ...facts, metrics: { points_earned: 0 } } as Facts;
    const { metrics } = withEarned(known, () => AMOUNT_MAX);
    expect(metrics.points_earned).toBe(2 * AMOUNT_MAX);
    const sold = {
      ...history,
      transactions: [bought('a', 0, AMOUNT_MAX), bought('b', 1, AMOUNT_MAX)],
    };
    const then = factsAsOf(facts, sold, { rule: asked, happened: purchase('z', 40) });
    expect(then.metrics.total_spending).toBe(2 * AMOUNT_MAX);
  });

  const measured = (
    metric: Parameters<typeof measuredAsOf>[1]['metric'],
    [period_days, day]: [number, number],
    code?: string,
  ) =>
    measuredAsOf(
      history,
      { metric, period_days, ...(code === undefined ? {} : { wallet_type_code: code }) },
      { rule: asked, happened: purchase('x', day) },
    );

  test('over a period count from its first moment to the event', () => {
    expect(measured('transaction_count', [8, 11])).toBe(1);
    expect(measured('transaction_count', [8, 8])).toBe(3);
    expect(measured('total_spending', [3, 6])).toBe(9.9);
    expect(measured('points_earned', [8, 12])).toBe(50);
    expect(measured('points_earned', [8, 9], 'stamps')).toBe(1);
    expect(measured('days_since_last_transaction', [6, 9])).toBe(6);
    expect(measured('days_since_last_transaction', [5, 9])).toBeNull();
    expect(measured('days_since_last_transaction', [5, -1])).toBeNull();
  });

  test.each<[[number, number], number]>([
    [[6, 8], 2],
    [[5, 8], 1],
    [[6, 7.5], 1],
    [[6, 20], 0],
    [[6, 1], 0],
  ])('over %p count the referrals from first to last moment: %p', (period, count) => {
    expect(measured('referrals_completed', period)).toBe(count);
  });

  test('over a period leave out what lies before it', () => {
    const over = (metric: Parameters<typeof measuredAsOf>[1]['metric'], code?: string) =>
      measured(metric, [8, 9], code);
    expect(over('transaction_count')).toBe(1);
    expect(over('total_spending')).toBe(9.9);
    expect(over('referrals_completed')).toBe(2);
    expect(over('points_earned')).toBe(56);
    expect(over('points_earned', 'points')).toBe(55);
    expect(over('days_since_last_transaction')).toBe(6);
  });
});

describe('points that a rule gave', () => {
  const award = { ruleId: 'rule a', priority: 1, eventId: 'c', at: on(3) };
  const late = { at: on(3.5), walletTypeCode: 'points', amount: 1, isEarn: true };
  const isSeen = (given: Partial<typeof award>, happened: Trigger) =>
    isEarnedBy({ ...late, award: { ...award, ...given } }, { rule: asked, happened });

  test('over the same event count for the rules after it, not for itself or those before', () => {
    const event = purchase('c', 3);
    expect(isSeen({}, event)).toBe(true);
    expect(isSeen({ priority: 5 }, event)).toBe(true);
    expect(isSeen({ priority: 5, ruleId: 'rule m' }, event)).toBe(false);
    expect(isSeen({ priority: 5, ruleId: 'rule z' }, event)).toBe(false);
    expect(isSeen({ priority: 6 }, event)).toBe(false);
  });

  test('count from their own event on, however late they came', () => {
    expect(isSeen({}, purchase('d', 3.1))).toBe(true);
    expect(isSeen({ at: on(3.2), eventId: 'e' }, purchase('d', 3.1))).toBe(false);
    expect(isSeen({ at: on(3.2), eventId: 'e' }, purchase('f', 3.6))).toBe(true);
    expect(
      isEarnedBy({ ...late, award: null }, { rule: asked, happened: purchase('d', 3.1) }),
    ).toBe(false);
  });
});

const rule = (conditions: Condition[], expression = '1') => ({
  conditions,
  effects: [
    {
      type: 'earn_points',
      wallet_type_code: 'points',
      amount_type: 'expression',
      amount_expression: expression,
    },
  ] as Effect[],
  limits: {},
});

test('a backtest says what of a rule it can only tell as it is now', () => {
  const approximations = (conditions: Condition[], expression?: string) =>
    approximationsFor(rule(conditions, expression));
  const comparison = { operator: 'gt', value: 1 } as const;
  expect(approximations([])).toEqual([]);
  expect(
    approximations([{ type: 'client_metric', metric: 'transaction_count', ...comparison }]),
  ).toEqual([]);
  expect(
    approximations([{ type: 'wallet_balance', wallet_type_code: 'points', ...comparison }]),
  ).toEqual(['balances']);
  expect(
    approximations([
      { type: 'segment', segment_id: 's' },
      { type: 'tier', tier_id: 't' },
    ]),
  ).toEqual(['tier', 'segments']);
  expect(approximations([], 'wallet.points.active * tier.level')).toEqual(['balances', 'tier']);
  expect(approximations([], 'client.days_since_registration')).toEqual([]);
  expect(approximations([], 'client.custom_fields.size')).toEqual(['client_fields']);
  const always: Condition = { type: 'expression', expression: 'true' };
  expect(approximations([always], 'tier.level')).toEqual(['tier']);
});

test.each([
  ['loyalty', 'event.metadata.campaign == "x"', true],
  ['loyalty', 'event.metadata["campaign"] == "x"', true],
  ['loyalty', 'size(event.metadata) > 2', true],
  ['loyalty', 'event.metadata.points_delta > 5 && event.metadata["tier_name"] == "Gold"', false],
  ['loyalty', 'event.amount > 5', false],
  ['referral', 'event.metadata.completion_criteria == "signup"', true],
  ['referral', 'event.metadata.referral_code == "A"', false],
  ['transaction', 'event.metadata.campaign == "x"', false],
] as const)(
  'of a %s rule that asks for %s a backtest says whether all of that is kept',
  (trigger_type, expression, isNamed) => {
    const asking = { ...rule([{ type: 'expression', expression }]), trigger_type };
    expect(approximationsInPast(asking)).toEqual(isNamed ? ['event_metadata'] : []);
  },
);
