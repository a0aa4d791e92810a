import type { ClientMetric } from '@laurel/contract';
import { ALL_ASKED, askedBy, metricsAskedBy } from './asked';
import type { Condition, Effect } from './rule';

const earn = { type: 'earn_points', wallet_type_code: 'points' } as const;
const earning = (amount_expression: string): Effect[] => [
  { ...earn, amount_type: 'expression', amount_expression },
];
const rule = (conditions: Condition[], expression = '1') => ({
  conditions,
  effects: earning(expression),
  limits: {},
});
const comparison = { operator: 'gt', value: 1 } as const;
const over = (metric: ClientMetric): Condition => ({
  type: 'client_metric',
  metric,
  ...comparison,
});
const tier: Condition = { type: 'tier', tier_id: 't' };

test('only the metrics that a rule looks at are asked for', () => {
  expect([...metricsAskedBy(rule([], 'event.amount'))]).toEqual([]);
  expect([...metricsAskedBy(rule([], 'metrics.total_spending * 2'))]).toEqual(['total_spending']);
  expect([...metricsAskedBy(rule([], 'wallet.points.earned'))]).toEqual(['points_earned']);
  expect([...metricsAskedBy(rule([tier, over('transaction_count')]))]).toEqual([
    'transaction_count',
  ]);
});

test('only what rules look at is looked up for them', () => {
  const nothing = { fields: false, tier: false, wallets: false, zone: true };
  const plain = { conditions: [], effects: [], limits: {} };
  expect(askedBy([plain])).toEqual({ ...nothing, zone: false });
  const perDay = { executions_per_client: { interval: 'day', value: 1 } } as const;
  expect(askedBy([{ ...plain, limits: perDay }])).toEqual(nothing);
  expect(askedBy([rule([], 'event.amount')])).toEqual(nothing);
  expect(askedBy([rule([]), rule([], 'tier.level')])).toEqual({ ...nothing, tier: true });
  expect(askedBy([rule([{ type: 'tier', tier_id: 't' }])])).toEqual({ ...nothing, tier: true });
  expect(askedBy([rule([], 'client.custom_fields.size')])).toEqual({ ...nothing, fields: true });
  const wallets = { ...nothing, wallets: true };
  expect(askedBy([rule([], 'metrics.points_earned')])).toEqual(wallets);
  expect(
    askedBy([rule([{ type: 'wallet_balance', wallet_type_code: 'points', ...comparison }])]),
  ).toEqual(wallets);
  expect(
    askedBy([rule([{ type: 'client_metric', metric: 'transaction_count', ...comparison }])]),
  ).toEqual(nothing);
  expect(askedBy([rule([over('points_earned')]), rule([])])).toEqual(wallets);
  expect(askedBy([plain, rule([])])).toEqual(nothing);
  expect(askedBy([{ ...plain, conditions: [over('transaction_count')] }])).toEqual(nothing);
  const segment: Condition = { type: 'segment', segment_id: 's' };
  expect(askedBy([rule([segment])])).toEqual({ ...wallets, tier: true });
  const update: Effect = { type: 'update_client_field', field_name: 'x', value_expression: '1' };
  expect(askedBy([{ ...plain, effects: [update] }])).toEqual(nothing);
});

test('a caller who does not know the rules looks everything up', () => {
  expect(ALL_ASKED).toEqual({ fields: true, tier: true, wallets: true, zone: true });
});
