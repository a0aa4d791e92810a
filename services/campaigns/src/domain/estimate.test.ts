import { type Action, type Deed, newAction } from './action';
import { estimateActions, type Supply } from './estimate';

const reach = { total: 10, reachable: 7, consenting: 8, addressable: 6, loyaltyEnabled: 9 };
const plenty: Supply = {
  reason: null,
  costInPoints: 2.5,
  usesLeft: null,
  couponsLeft: null,
  admissions: new Map(),
};
const action = (id: string, deed: Deed): Action =>
  newAction({ id, workspaceId: 'w', campaignId: 'c', now: new Date(0) }, deed, 0);
const giving = (id: string, ...reward_ids: string[]) =>
  action(id, { action_type: 'give_reward', action_config: { reward_ids } });
const assigning = (tier_id: string) =>
  action('tier', { action_type: 'assign_tier', action_config: { tier_id, duration_days: null } });
type Known = Partial<Supply> & { byTier?: number; admitted?: number };
const supplies = (...given: [string, Known][]) => ({
  supplies: new Map(
    given.map(([id, { byTier = 10, admitted = 10, ...supply }]) => {
      const admissions: Supply['admissions'] = new Map([[null, { byTier, admitted }]]);
      return [id, { ...plenty, admissions, ...supply }] as const;
    }),
  ),
  tierIds: new Set(['gold', 'vip']),
});

test('a message comes to who has a card and has agreed, and says why it does not to the rest', () => {
  const push = action('push', {
    action_type: 'push_notification',
    action_config: { notification_message: 'Hello' },
  });
  expect(estimateActions([push], reach, supplies())).toEqual([
    {
      actionId: 'push',
      customers: 6,
      points: 0,
      couponsNeeded: 0,
      couponsLeft: null,
      shortfalls: [
        { reason: 'no_pass', customers: 3, rewardId: null },
        { reason: 'no_consent', customers: 1, rewardId: null },
      ],
    },
  ]);
});

test('another card comes to who has one, a tier to who is in the programme, a field to everybody', () => {
  const actions = [
    action('card', {
      action_type: 'template_switch',
      action_config: { target_template_id: 't', duration_days: null },
    }),
    assigning('gold'),
    assigning('gone'),
    action('field', {
      action_type: 'custom_field_update',
      action_config: { custom_field_updates: { a: 1 } },
    }),
  ];
  const estimates = estimateActions(actions, reach, supplies());
  expect(estimates.map(({ customers }) => customers)).toEqual([7, 9, 0, 10]);
  expect(estimates.map(({ shortfalls }) => shortfalls)).toEqual([
    [{ reason: 'no_pass', customers: 3, rewardId: null }],
    [{ reason: 'loyalty_disabled', customers: 1, rewardId: null }],
    [{ reason: 'unknown_tier', customers: 10, rewardId: null }],
    [],
  ]);
});

test('a reward is worth what it costs, to each who gets it', () => {
  const [estimate] = estimateActions([giving('a', 'tea')], reach, supplies(['tea', {}]));
  expect(estimate).toMatchObject({ customers: 10, points: 25, couponsNeeded: 0, shortfalls: [] });
});

test('locks, limits and codes each keep a reward from those whom nothing before kept it from', () => {
  const supply = { byTier: 9, admitted: 7, usesLeft: 5, couponsLeft: 2 };
  const [estimate] = estimateActions([giving('a', 'tea')], reach, supplies(['tea', supply]));
  expect(estimate).toEqual({
    actionId: 'a',
    customers: 2,
    points: 5,
    couponsNeeded: 5,
    couponsLeft: 2,
    shortfalls: [
      { reason: 'tier_locked', customers: 1, rewardId: 'tea' },
      { reason: 'segment_locked', customers: 2, rewardId: 'tea' },
      { reason: 'usage_limit_reached', customers: 2, rewardId: 'tea' },
      { reason: 'out_of_coupons', customers: 3, rewardId: 'tea' },
    ],
  });
});

test('what one action takes of a reward is not there for the next', () => {
  const actions = [giving('first', 'tea'), giving('second', 'tea')];
  const left = supplies(['tea', { usesLeft: 15, couponsLeft: 12 }]);
  const estimates = estimateActions(actions, reach, left);
  expect(estimates.map(({ customers }) => customers)).toEqual([10, 2]);
  expect(estimates[1]!.shortfalls).toEqual([
    { reason: 'usage_limit_reached', customers: 5, rewardId: 'tea' },
    { reason: 'out_of_coupons', customers: 3, rewardId: 'tea' },
  ]);
  expect(left.supplies.get('tea')!.usesLeft).toBe(15);
});

test('of several rewards all come to as many as the scarcest does, and each is paid for', () => {
  const two = supplies(['tea', { couponsLeft: 4 }], ['cake', { couponsLeft: 20, costInPoints: 1 }]);
  const [estimate] = estimateActions([giving('a', 'tea', 'cake')], reach, two);
  expect(estimate).toMatchObject({
    customers: 4,
    points: 20,
    couponsNeeded: 20,
    couponsLeft: 24,
    shortfalls: [{ reason: 'out_of_coupons', customers: 6, rewardId: 'tea' }],
  });
});

test('a reward that is gone, or over by then, comes to no member', () => {
  const actions = [giving('gone', 'gone'), giving('over', 'tea')];
  const estimates = estimateActions(actions, reach, supplies(['tea', { reason: 'ended' }]));
  expect(estimates.map(({ customers, shortfalls }) => [customers, shortfalls])).toEqual([
    [0, [{ reason: 'unknown_reward', customers: 10, rewardId: 'gone' }]],
    [0, [{ reason: 'ended', customers: 10, rewardId: 'tea' }]],
  ]);
});

test('points beyond all amounts are not shown', () => {
  const dear = supplies(['tea', { costInPoints: 100_000_000_000 }], ['cake', {}]);
  const [estimate] = estimateActions([giving('a', 'tea', 'cake')], reach, dear);
  expect(estimate!.points).toBeNull();
});

test('a reward for a tier comes to those whom an action before puts into it, and to none of them once they are in another', () => {
  const forGold = supplies([
    'tea',
    {
      couponsLeft: 15,
      admissions: new Map<string | null, { byTier: number; admitted: number }>([
        [null, { byTier: 2, admitted: 2 }],
        ['gold', { byTier: 9, admitted: 8 }],
        ['vip', { byTier: 0, admitted: 0 }],
      ]),
    },
  ]);
  const actions = [
    giving('before', 'tea'),
    assigning('gone'),
    assigning('gold'),
    giving('as gold', 'tea'),
    assigning('vip'),
    giving('as vip', 'tea'),
  ];
  const estimates = estimateActions(actions, reach, forGold);
  const given = estimates.filter(({ actionId }) => actionId !== 'tier');
  expect(given.map(({ customers }) => customers)).toEqual([2, 8, 0]);
  expect(given[1]!.shortfalls).toEqual([
    { reason: 'tier_locked', customers: 1, rewardId: 'tea' },
    { reason: 'segment_locked', customers: 1, rewardId: 'tea' },
  ]);
});
