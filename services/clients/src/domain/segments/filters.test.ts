import { toUnits } from '@laurel/values/amount';
import { at, filterOf, isIn, person, row, withAmountOf } from '../../testing/segment-profiles';
import type { FieldDefinition } from '../data-model';
import { withStatus } from './criteria';
import { ALWAYS, complies } from './criterion';
import type { Comparison, FilterConfigs } from './filter';
import type { Profile } from './profile';
import { withEvent, withPasses, withTier, withWallet } from './profile-changes';

const pass = (template_id: string, installed: boolean) => ({ id: 'p', template_id, installed });
const holder = withPasses(person(), [pass('card', true), pass('coupon', false)]);
const hasPass = (profile: Profile, config: Partial<FilterConfigs['pass']> = {}) =>
  isIn(profile, 'pass', { has_pass: true, ...config });

test('a pass complies alone: template and installation must be of one and the same', () => {
  expect(hasPass(holder)).toBe(true);
  expect(hasPass(person())).toBe(false);
  expect(hasPass(holder, { pass_template_ids: ['other', 'coupon'] })).toBe(true);
  expect(hasPass(holder, { pass_template_ids: ['other'] })).toBe(false);
  expect(hasPass(holder, { installed: true })).toBe(true);
  expect(hasPass(holder, { pass_template_ids: ['card'], installed: true })).toBe(true);
  expect(hasPass(holder, { pass_template_ids: ['coupon'], installed: true })).toBe(false);
  expect(hasPass(holder, { pass_template_ids: ['coupon'], installed: false })).toBe(true);
});

test('who has no such pass is exactly who is not among those that have one', () => {
  for (const config of [{}, { installed: true }, { pass_template_ids: ['card'] }])
    for (const profile of [holder, person(), withPasses(person(), [pass('coupon', false)])])
      expect(hasPass(profile, { ...config, has_pass: false })).toBe(!hasPass(profile, config));
});

test('a nested segment has its own members, negated everybody else, and none once it is gone', () => {
  const segments = { anns: { filters: [filterOf('client_field', equal('first_name', 'Ann'))] } };
  const [ann, bob] = [person({ first_name: 'Ann' }), person({ first_name: 'Bob' })];
  const nested = (profile: Profile, negate?: boolean, segment_id = 'anns') =>
    isIn(
      profile,
      'segment',
      { segment_id, ...(negate === undefined ? {} : { negate }) },
      { segments },
    );
  expect([ann, bob].map((one) => nested(one))).toEqual([true, false]);
  expect([ann, bob].map((one) => nested(one, false))).toEqual([true, false]);
  expect([ann, bob].map((one) => nested(one, true))).toEqual([false, true]);
  expect([ann, bob].map((one) => nested(one, false, 'gone'))).toEqual([false, false]);
});

test('a segment of one status leaves out all others, and one without a status leaves out none', () => {
  const isOf = (status: 'active' | 'inactive', wanted?: string) =>
    complies(person({ status }), withStatus(ALWAYS, wanted));
  expect(isOf('active', 'active')).toBe(true);
  expect(isOf('inactive', 'active')).toBe(false);
  expect(isOf('inactive')).toBe(true);
});

test('an id is the same in capitals', () => {
  const isWho = (operator: '_eq' | '_neq' | '_in' | '_nin', value: string | string[]) =>
    isIn(person(), 'client_field', { field: 'id', operator, value });
  expect([isWho('_eq', 'C'), isWho('_in', ['B', 'C'])]).toEqual([true, true]);
  expect([isWho('_neq', 'C'), isWho('_nin', ['C']), isWho('_eq', 'B')]).toEqual([
    false,
    false,
    false,
  ]);
});

function equal(field: string, value: string) {
  return { field, operator: '_eq', value } as const;
}

test.each<[Comparison, boolean, boolean]>([
  [{ operator: '_null' }, false, true],
  [{ operator: '_null', value: true }, false, true],
  [{ operator: '_null', value: false }, true, false],
  [{ operator: '_nnull' }, true, false],
  [{ operator: '_nnull', value: true }, true, false],
  [{ operator: '_nnull', value: false }, false, true],
])('%j asks whether there is a value', (comparison, whereOne, whereNone) => {
  const named = (one: Profile) => isIn(one, 'client_field', { field: 'email', ...comparison });
  const bought = (one: Profile) =>
    isIn(one, 'metric', { metric: 'days_since_last_transaction', ...comparison });
  const buyer = withEvent(
    person(),
    withAmountOf(row('transaction', 'purchase', at(5)), toUnits(1)),
  );
  expect([person({ email: 'a@b.ch' }), person()].map(named)).toEqual([whereOne, whereNone]);
  expect([buyer, person()].map(bought)).toEqual([whereOne, whereNone]);
});

test('an e-mail address or a phone is the same in whatever way it is written, and nothing else is', () => {
  const ann = person({
    email: 'Ann.Lee@Example.com',
    phone: '+41 79 123 45 67',
    first_name: 'Ann',
  });
  const asks = (field: string, comparison: Comparison, profile = ann) =>
    isIn(profile, 'client_field', { field, ...comparison });
  for (const value of ['ann.lee@example.com', 'ANN.LEE@EXAMPLE.COM']) {
    expect(asks('email', { operator: '_eq', value })).toBe(true);
    expect(asks('email', { operator: '_in', value: ['x@y.ch', value] })).toBe(true);
    expect(asks('email', { operator: '_neq', value })).toBe(false);
    expect(asks('email', { operator: '_nin', value: [value] })).toBe(false);
    expect(asks('email', { operator: '_eq', value }, person())).toBe(false);
    expect(asks('email', { operator: '_neq', value }, person())).toBe(true);
  }
  expect(asks('phone', { operator: '_eq', value: '0041791234567' })).toBe(true);
  expect(asks('phone', { operator: '_eq', value: '+41791234568' })).toBe(false);
  expect(asks('phone', { operator: '_eq', value: 'none' })).toBe(false);
  expect(asks('first_name', { operator: '_eq', value: 'ann' })).toBe(false);
});

test('a profile that an earlier release wrote is found by its address as it is written', () => {
  const now = person({ email: 'Ann@Example.com' });
  const { email_key: _key, ...columns } = now.columns;
  const before = { ...now, columns };
  const comparison = { operator: '_eq', value: 'Ann@Example.com' } as const;
  expect(isIn(before, 'client_field', { field: 'email', ...comparison })).toBe(true);
});

test('days since the last purchase within a period are known only of who bought in it', () => {
  const buyer = withEvent(
    person(),
    withAmountOf(row('transaction', 'purchase', at(20)), toUnits(1)),
  );
  const since = (period_days: number, comparison: Comparison) =>
    isIn(buyer, 'metric', { metric: 'days_since_last_transaction', period_days, ...comparison });
  expect(since(30, { operator: '_gte', value: 20 })).toBe(true);
  expect(since(20, { operator: '_gte', value: 20 })).toBe(true);
  expect(since(10, { operator: '_gte', value: 20 })).toBe(false);
  expect(since(10, { operator: '_null' })).toBe(true);
  expect(since(30, { operator: '_nin', value: [20, 21] })).toBe(false);
  expect(since(10, { operator: '_nin', value: [20, 21] })).toBe(true);
  expect(since(30, { operator: '_nin', value: [19, 21] })).toBe(true);
});

test('a referral counts for who brought it in, once it is completed, of all time and in a period', () => {
  const referral = (type: string, role: string, daysAgo: number) => ({
    ...row('referral', type, at(daysAgo)),
    metadata: { role },
  });
  const told = (...rows: ReturnType<typeof referral>[]) => rows.reduce(withEvent, person());
  const has = (profile: Profile, value: number, period?: { period_days: number }) =>
    isIn(profile, 'metric', { metric: 'referrals_completed', operator: '_eq', value, ...period });
  const referrer = told(
    referral('referral_completed', 'referrer', 40),
    referral('referral_completed', 'referrer', 2),
    referral('referral_created', 'referrer', 1),
  );
  expect(has(referrer, 2)).toBe(true);
  expect(has(referrer, 1, { period_days: 30 })).toBe(true);
  expect(has(referrer, 2, { period_days: 41 })).toBe(true);
  expect(has(told(referral('referral_completed', 'referred', 2)), 0)).toBe(true);
  const stranger = {
    ...row('custom', 'referral_completed', at(1)),
    metadata: { role: 'referrer' },
  };
  expect(has(told(stranger), 0)).toBe(true);
  expect(has(person(), 0, { period_days: 30 })).toBe(true);
});

test('figures of all time count purchases, take refunds off spending, and add up the wallets', () => {
  const buyer = [
    withAmountOf(row('transaction', 'purchase', at(90)), toUnits(10)),
    withAmountOf(row('transaction', 'purchase', at(80)), toUnits(5)),
    withAmountOf(row('transaction', 'refund', at(70)), toUnits(2.5)),
    withAmountOf(row('engagement', 'scan', at(60)), toUnits(99)),
  ].reduce(withEvent, person());
  const wallet = { active: 0, pending: 0, spent: 0, sequence: 1 };
  const earner = withWallet(
    withWallet(buyer, 'points', { ...wallet, earned: toUnits(30) }),
    'stars',
    { ...wallet, earned: toUnits(7) },
  );
  const is = (metric: FilterConfigs['metric']['metric'], value: number) =>
    isIn(earner, 'metric', { metric, operator: '_eq', value });
  expect(is('transaction_count', 2)).toBe(true);
  expect(is('total_spending', 12.5)).toBe(true);
  expect(is('points_earned', 37)).toBe(true);
  expect(is('days_since_last_transaction', 80)).toBe(true);
});

test('spending and points of a period are of what happened in it, taken back or adjusted among it', () => {
  const points = (type: string, daysAgo: number, delta: number | null) => {
    const told = row('loyalty', type, at(daysAgo));
    const points_delta = delta === null ? null : toUnits(delta);
    return { ...told, metadata: { points_ledger_id: told.id }, points_delta };
  };
  const profile = [
    withAmountOf(row('transaction', 'purchase', at(40)), toUnits(100)),
    withAmountOf(row('transaction', 'purchase', at(9)), toUnits(10)),
    withAmountOf(row('transaction', 'refund', at(8)), toUnits(4)),
    row('transaction', 'purchase', at(7)),
    withAmountOf(row('custom', 'purchase', at(6)), toUnits(50)),
    points('points_earned', 40, 100),
    points('points_earned', 5, 10),
    points('points_adjusted', 4, 3),
    points('points_adjusted', 3, -5),
    points('points_spent', 2, -6),
    points('points_refunded', 2, 2),
    points('points_earned', 1, null),
  ].reduce(withEvent, person());
  const within = (metric: FilterConfigs['metric']['metric'], value: number) =>
    isIn(profile, 'metric', { metric, period_days: 30, operator: '_eq', value });
  expect(within('total_spending', 6)).toBe(true);
  expect(within('points_earned', 13)).toBe(true);
});

test.each<[Comparison, boolean[]]>([
  [{ operator: '_eq', value: 2 }, [false, true, false]],
  [{ operator: '_neq', value: 2 }, [true, false, true]],
  [{ operator: '_gt', value: 2 }, [false, false, true]],
  [{ operator: '_gte', value: 2 }, [false, true, true]],
  [{ operator: '_lt', value: 2 }, [true, false, false]],
  [{ operator: '_lte', value: 2 }, [true, true, false]],
  [{ operator: '_in', value: [1, 3] }, [true, false, true]],
  [{ operator: '_nin', value: [1, 3] }, [false, true, false]],
  [{ operator: '_between', value: [2, 3] }, [false, true, true]],
])('%j is true of one, two and three scans: %j', (comparison, expected) => {
  const scans = Array.from({ length: 4 }, (_, n) => row('engagement', 'scan', at(n + 1)));
  const scan = { event_category: 'engagement', event_type: 'scan', within_days: 30 };
  const counted = [1, 2, 3].map((count) => scans.slice(0, count).reduce(withEvent, person()));
  expect(counted.map((one) => isIn(one, 'event', { ...scan, ...comparison }))).toEqual(expected);
});

test.each<[Comparison, boolean]>([
  [{ operator: '_eq', value: 0 }, true],
  [{ operator: '_eq', value: 1 }, false],
  [{ operator: '_neq', value: 1 }, true],
  [{ operator: '_in', value: [3, 0] }, true],
  [{ operator: '_in', value: [3] }, false],
  [{ operator: '_nin', value: [3, 0] }, false],
  [{ operator: '_nin', value: [3] }, true],
  [{ operator: '_between', value: [0, 1] }, true],
  [{ operator: '_between', value: [-1, 0] }, true],
  [{ operator: '_between', value: [1, 2] }, false],
  [{ operator: '_between', value: [-2, -1] }, false],
  [{ operator: '_gte', value: 0 }, true],
  [{ operator: '_gt', value: 0 }, false],
])('where there is nothing, 0 is compared: %j is %s', (comparison, expected) => {
  const balance = { wallet_type_code: 'points', balance: 'active' } as const;
  const summed = { metric: 'total_spending', period_days: 30 } as const;
  const counted = { metric: 'transaction_count', period_days: 30 } as const;
  expect(isIn(person(), 'wallet_balance', { ...balance, ...comparison })).toBe(expected);
  expect(isIn(person(), 'metric', { ...summed, ...comparison })).toBe(expected);
  expect(isIn(person(), 'metric', { ...counted, ...comparison })).toBe(expected);
});

test('each of the four balances is asked for itself', () => {
  const amounts = { active: 1, pending: 2, earned: 3, spent: 4 };
  const units = Object.fromEntries(Object.entries(amounts).map(([k, v]) => [k, toUnits(v)]));
  const wallet = { ...(units as unknown as typeof amounts), sequence: 1 };
  const profile = withWallet(person(), 'points', wallet);
  for (const balance of ['active', 'pending', 'earned', 'spent'] as const)
    for (const value of [1, 2, 3, 4]) {
      const asked = { wallet_type_code: 'points', balance, operator: '_eq', value } as const;
      expect(isIn(profile, 'wallet_balance', asked)).toBe(value === amounts[balance]);
    }
});

test('among days and texts, a value is one of a list, outside of it, or between two ends', () => {
  const joined = { field_name: 'joined', field_type: 'date', options: [] as string[] };
  const profile = person({ custom_fields: { joined: '2026-01-31T10:00:00Z' }, first_name: 'Bea' });
  const day = (operator: Comparison['operator'], ...value: string[]) =>
    isIn(
      profile,
      'custom_field',
      { custom_field_filters: { joined: { operator, value } } },
      { definitions: [joined as FieldDefinition] },
    );
  const name = (operator: Comparison['operator'], ...value: string[]) =>
    isIn(profile, 'client_field', { field: 'first_name', operator, value });
  expect(day('_in', '2026-01-01', '2026-01-31')).toBe(true);
  expect(day('_in', '2026-01-30T10:00:00Z', '2026-01-31T10:00:00Z')).toBe(true);
  expect(day('_in', '2026-01-30', '2026-02-01')).toBe(false);
  expect(day('_nin', '2026-01-30', '2026-02-01')).toBe(true);
  expect(day('_nin', '2026-01-31')).toBe(false);
  expect(day('_between', '2026-01-30', '2026-01-31')).toBe(true);
  expect(day('_between', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z')).toBe(true);
  expect(day('_between', '2026-01-31T10:00:01Z', '2026-02-01')).toBe(false);
  expect(day('_between', '2026-01-01', '2026-01-30')).toBe(false);
  expect(name('_between', 'Ann', 'Bea')).toBe(true);
  expect(name('_between', 'Ann', 'Bdz')).toBe(false);
  expect(name('_nin', 'Bea')).toBe(false);
  expect(name('_nin', 'Ann')).toBe(true);
});

test('a bare day ends before the first moment of the next', () => {
  const born = (birth: string, operator: Comparison['operator'], value: string) =>
    isIn(person({ birth_date: birth }), 'client_field', { field: 'birth_date', operator, value });
  expect(born('1990-05-02', '_eq', '1990-05-01')).toBe(false);
  expect(born('1990-05-02', '_gt', '1990-05-01')).toBe(true);
  expect(born('1990-05-02', '_lt', '1990-05-02T00:00:00Z')).toBe(false);
  expect(born('1990-05-01', '_lt', '1990-05-02')).toBe(true);
  expect(born('1990-05-02', '_gte', '1990-05-02T00:00:00Z')).toBe(true);
});

test('of two moves with one number the later stands, and an older one changes nothing', () => {
  const moved = withTier(person(), 'gold', { revision: 2, at: at(2) });
  const tierAfter = (revision: number, daysAgo: number) =>
    withTier(moved, 'silver', { revision, at: at(daysAgo) }).tier_id;
  expect(tierAfter(2, 1)).toBe('silver');
  expect(tierAfter(2, 3)).toBe('gold');
  expect(tierAfter(3, 3)).toBe('silver');
  expect(tierAfter(1, 1)).toBe('gold');
  expect(isIn(person(), 'tier', { tier_ids: ['gold'] })).toBe(false);
  expect(isIn(moved, 'tier', { tier_ids: ['gold', 'untiered'] })).toBe(true);
});
