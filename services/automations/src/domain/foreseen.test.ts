import type { Facts } from './facts';
import { foresee, questionsAbout, type Surroundings } from './foreseen';
import type { PlannedEffect } from './plan';

const wallet = { active: 10, pending: 0, locked: 0, earned: 30, spent: 20, expired: 0 };
const facts = {
  client: { first_name: 'Ada', custom_fields: { city: null } },
  wallets: { points: wallet, stamps: wallet },
  tier: null,
  metrics: { points_earned: 60 },
  foreseen: [],
  foreseenGifts: [],
  inactiveWallets: [],
} as unknown as Facts;
const keyOf = (effect: PlannedEffect) => questionsAbout(facts, [effect])[0]!.key;
const around: Surroundings = {
  walletTypes: new Map([
    ['points', { active: true, pendingDays: null, allowsNegative: false, maxBalance: null }],
    ['stamps', { active: true, pendingDays: 7, allowsNegative: true, maxBalance: 14 }],
    ['old', { active: false, pendingDays: null, allowsNegative: true, maxBalance: null }],
  ]),
  tiers: [
    { id: 'silver', name: 'Silver' },
    { id: 'gold', name: 'Gold' },
  ],
  freed: null,
  refused: new Map([[keyOf({ type: 'give_reward', reward_id: 'spent' }), 'the reward is used up']]),
};
const earn = (code: string, points: number): PlannedEffect => ({
  type: 'earn_points',
  wallet_type_code: code,
  points,
  pending_days: null,
  expiry_days: null,
});
const deduct = (code: string, amount: number): PlannedEffect => ({
  type: 'deduct_points',
  wallet_type_code: code,
  amount,
});

test('what a rule would change is seen by the rules after it', () => {
  const effects: PlannedEffect[] = [
    earn('points', 0.1),
    earn('points', 0.2),
    earn('stamps', 3),
    deduct('points', 4),
    { type: 'update_client_field', field_name: 'first_name', value: 'Grace' },
    { type: 'update_client_field', field_name: 'city', value: 'Rome' },
    { type: 'assign_tier', tier_id: 'gold', duration_days: null },
  ];
  const after = foresee(facts, effects, around);
  expect(after.refusal).toBeNull();
  expect(after.facts).toMatchObject({
    client: { first_name: 'Grace', custom_fields: { city: 'Rome' } },
    wallets: {
      points: { active: 6.3, spent: 24 },
      stamps: { active: 10, pending: 3 },
    },
    tier: { name: 'Gold', level: 2 },
    foreseen: [
      { walletTypeCode: 'points', amount: 0.1 },
      { walletTypeCode: 'points', amount: 0.2 },
      { walletTypeCode: 'stamps', amount: 3 },
    ],
  });
  const removed = foresee(after.facts, [{ type: 'remove_tier', tier_id: 'gold' }], around);
  expect(removed.facts.tier).toBeNull();
});

test('what would be refused ends the effects of its rule, as it does when it runs', () => {
  const {
    effects,
    refusal,
    facts: after,
  } = foresee(facts, [earn('points', 5), deduct('points', 16), earn('points', 100)], around);
  expect(effects).toHaveLength(1);
  expect(refusal).toContain('the balance is 15');
  expect(after.wallets.points!.active).toBe(15);
  expect(foresee(facts, [deduct('stamps', 11)], around).refusal).toBeNull();
  expect(foresee(facts, [deduct('points', 10)], around).refusal).toBeNull();
});

test('an earn counts as far as it fits under the cap of its wallet, and none at the cap is refused', () => {
  const first = foresee(facts, [earn('stamps', 2.5), earn('stamps', 3)], around);
  expect(first).toMatchObject({ effects: [{ points: 2.5 }, { points: 1.5 }], refusal: null });
  expect(first.facts.wallets.stamps).toMatchObject({ active: 10, pending: 4 });
  const next = foresee(first.facts, [earn('stamps', 0), earn('stamps', 1)], around);
  expect(next.effects).toMatchObject([{ points: 0 }]);
  expect(next.refusal).toContain('the wallet is at its max_balance');
});

test.each<[string, PlannedEffect, string]>([
  ['more than', earn('points', 100_000_000_000), 'earning 100000000000 points'],
  ['less than', deduct('stamps', 100_000_000_000), 'deducting 100000000000 stamps'],
])('%s a wallet can hold exactly is refused, and is no fault', (_what, effect, what) => {
  const { refusal, effects } = foresee(facts, [effect], around);
  const why = 'the wallet would be beyond the range of exact amounts';
  expect(refusal).toBe(`${what} would be refused: ${why}`);
  expect(effects).toEqual([]);
});

test('points of a wallet type that is switched off or gone are refused, and no others', () => {
  for (const code of ['old', 'gone'])
    for (const effect of [earn(code, 9), deduct(code, 9)]) {
      const off = foresee(facts, [earn('points', 1), effect, earn('points', 1)], around);
      expect(off.effects).toHaveLength(1);
      expect(off.facts.wallets.points!.active).toBe(11);
      expect(off.refusal).toMatch(
        code === 'old' ? /the wallet type is not active$/ : /there is no such wallet type$/,
      );
    }
  const nothing = foresee(facts, [earn('old', 0), earn('points', 1)], around);
  expect(nothing).toMatchObject({ effects: [{ points: 0 }, { points: 1 }], refusal: null });
  expect(nothing.facts.foreseen).toEqual([{ walletTypeCode: 'points', amount: 1 }]);
});

test('a reward that would not be given ends the effects of its rule', () => {
  const give = (reward_id: string): PlannedEffect => ({ type: 'give_reward', reward_id });
  const given = foresee(facts, [give('cup'), give('spent'), earn('points', 1)], around);
  expect(given).toMatchObject({
    facts: { ...facts, foreseenGifts: ['cup'] },
    effects: [{ reward_id: 'cup' }],
    refusal: 'giving the reward would be refused: the reward is used up',
  });
});

test('the first points of a wallet that no rule asked for are all that is in it', () => {
  const { points: type } = Object.fromEntries(around.walletTypes);
  const later = { ...around, walletTypes: new Map([['new', type!]]) };
  expect(foresee(facts, [earn('new', 3)], later).facts.wallets.new).toEqual({
    active: 3,
    pending: 0,
    locked: 0,
    earned: 0,
    spent: 0,
    expired: 0,
  });
});

test('a tier is removed where somebody put the client there, and it is the one that is meant', () => {
  const gold = { id: 'gold', name: 'Gold', level: 2, isAssigned: true };
  const left = (tier: Facts['tier'], tier_id: string | null) =>
    foresee({ ...facts, tier }, [{ type: 'remove_tier', tier_id }], around).facts.tier;
  expect(left(gold, null)).toBeNull();
  expect(left(gold, 'gold')).toBeNull();
  expect(left(gold, 'silver')).toBe(gold);
  const reached = { ...gold, isAssigned: false };
  expect(left(reached, null)).toBe(reached);
  expect(left(reached, 'gold')).toBe(reached);
  expect(left(null, null)).toBeNull();
  expect(left(null, 'gold')).toBeNull();
});
