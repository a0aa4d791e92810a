import { toUnits, type Units } from '@laurel/values/amount';
import fc from 'fast-check';
import { at, isIn, person, row, withAmountOf } from '../../testing/segment-profiles';
import type { FieldDefinition } from '../data-model';
import type { TrailEvent } from '../trail-event';
import type { Comparison } from './filter';
import { COUNT_MAX, CUSTOM_KINDS_MAX, type Profile, TIMES_MAX } from './profile';
import { withEvent, withoutEvent, withTier, withTrail, withWallet } from './profile-changes';
import { keptOf } from './whole-trail';

const purchase = (daysAgo: number, amount: number) =>
  withAmountOf(row('transaction', 'purchase', at(daysAgo)), toUnits(amount));
const refund = (daysAgo: number, amount: number) =>
  withAmountOf(row('transaction', 'refund', at(daysAgo)), toUnits(amount));
const earn = (daysAgo: number, amount: number) => {
  const earned = row('loyalty', 'points_earned', at(daysAgo));
  const metadata = { points_ledger_id: earned.id };
  return { ...earned, metadata, points_delta: toUnits(amount) };
};

const OPERATORS = ['_eq', '_neq', '_gt', '_gte', '_lt', '_lte', '_in', '_nin', '_between'] as const;
/** What an operator means, as plainly as can be said. */
const compares = (actual: number, { operator, value }: Comparison): boolean => {
  const [first, second] = (Array.isArray(value) ? value : [value]) as number[];
  switch (operator) {
    case '_eq':
      return actual === first;
    case '_neq':
      return actual !== first;
    case '_gt':
      return actual > first!;
    case '_gte':
      return actual >= first!;
    case '_lt':
      return actual < first!;
    case '_lte':
      return actual <= first!;
    case '_in':
      return (value as number[]).includes(actual);
    case '_nin':
      return !(value as number[]).includes(actual);
    default:
      return actual >= first! && actual <= second!;
  }
};
const comparisonOf = (operand: fc.Arbitrary<number>): fc.Arbitrary<Comparison> =>
  fc.tuple(fc.constantFrom(...OPERATORS), operand, operand).map(([operator, a, b]) => ({
    operator,
    value: ['_in', '_nin'].includes(operator)
      ? [a, b]
      : operator === '_between'
        ? [a, b].sort((x, y) => x - y)
        : a,
  }));

const happened = fc.array(
  fc.tuple(
    fc.constantFrom('purchase', 'refund', 'earn', 'scan'),
    fc.integer({ min: 0, max: 40 * 48 }).map((halfHours) => halfHours / 48),
    fc.integer({ min: 0, max: 60 }).map((tenths) => tenths / 10),
  ),
  { maxLength: 15 },
);
const told = (kind: string, daysAgo: number, amount: number): TrailEvent => {
  if (kind === 'earn') return earn(daysAgo, amount);
  if (kind === 'scan') return row('engagement', 'scan', at(daysAgo));
  return kind === 'refund' ? refund(daysAgo, amount) : purchase(daysAgo, amount);
};
const sumOf = (amounts: number[]) => Math.round(amounts.reduce((a, b) => a + b, 0) * 10) / 10;

test('windows count and add up exactly what lies in them, in whatever order it came', () => {
  const days = fc.integer({ min: 1, max: 45 });
  fc.assert(
    fc.property(
      happened,
      days,
      comparisonOf(fc.integer({ min: 0, max: 5 })),
      comparisonOf(fc.integer({ min: -10, max: 90 }).map((tenths) => tenths / 10)),
      (things, period, counted, summed) => {
        const profile = things.map((one) => told(...one)).reduce(withEvent, person());
        const recent = things.filter(([, daysAgo]) => daysAgo <= period);
        const of = (wanted: string) => recent.filter(([kind]) => kind === wanted);
        const metric = { period_days: period };
        const spent = sumOf([
          ...of('purchase').map(([, , amount]) => amount),
          ...of('refund').map(([, , amount]) => -amount),
        ]);
        const earned = sumOf(of('earn').map(([, , amount]) => amount));
        const event = { within_days: period, event_category: 'transaction', ...counted };
        const asked = [
          isIn(profile, 'metric', { metric: 'transaction_count', ...metric, ...counted }),
          isIn(profile, 'metric', { metric: 'total_spending', ...metric, ...summed }),
          isIn(profile, 'metric', { metric: 'points_earned', ...metric, ...summed }),
          isIn(profile, 'event', { ...event, event_type: 'refund' }),
          isIn(profile, 'event', event),
        ];
        expect(asked).toEqual([
          compares(of('purchase').length, counted),
          compares(spent, summed),
          compares(earned, summed),
          compares(of('refund').length, counted),
          compares(of('refund').length + of('purchase').length, counted),
        ]);
      },
    ),
    { numRuns: 500 },
  );
});

test('who calls every custom event by another name fills no profile, and the latest kinds are still counted', () => {
  const days = CUSTOM_KINDS_MAX + 50;
  const profile = Array.from({ length: days }, (_, day) =>
    row('custom', `order ${day}`, at(days - day)),
  )
    .concat(row('engagement', 'scan', at(days + 1)))
    .reduce(withEvent, person());
  const kinds = Object.keys(profile.times).filter((key) => key.startsWith('custom '));
  expect(kinds).toHaveLength(CUSTOM_KINDS_MAX);
  const has = (event_category: string, event_type?: string) =>
    isIn(profile, 'event', {
      event_category,
      ...(event_type === undefined ? {} : { event_type }),
      within_days: 3_650,
      operator: '_gte',
      value: 1,
    });
  expect([has('custom', `order ${days - 1}`), has('custom', 'order 0')]).toEqual([true, false]);
  expect([has('engagement', 'scan'), has('custom')]).toEqual([true, true]);
});

test('what is deleted from the trail leaves the windows as if it had never come', () => {
  fc.assert(
    fc.property(happened, fc.nat(), (things, pick) => {
      const events = things.map((one) => told(...one));
      const gone = events[pick % Math.max(events.length, 1)];
      if (!gone) return;
      const kept = events.filter((one) => one !== gone);
      const after = withoutEvent(events.reduce(withEvent, person()), gone);
      const never = kept.reduce(withEvent, person());
      const lists = ({ times, spent, earned }: Profile) => ({
        times: Object.fromEntries(
          Object.entries(times).filter(([, moments]) => moments.length > 0),
        ),
        spent,
        earned,
      });
      expect(lists(after)).toEqual(lists(never));
    }),
  );
});

test('a profile made anew from the whole trail is the one that was built row by row', () => {
  fc.assert(
    fc.property(happened, (things) => {
      const events = things.map((one) => told(...one));
      const profile = events.reduce(withEvent, person());
      const bought = {
        transactionCount: profile.metrics.transaction_count,
        totalSpending: profile.metrics.total_spending as Units,
        lastTransactionAt: profile.metrics.last_transaction_at,
      };
      const newestFirst = events.toSorted(
        (one, other) => Number(other.event_timestamp) - Number(one.event_timestamp),
      );
      expect(withTrail(profile, keptOf(newestFirst), bought)).toEqual(profile);
    }),
  );
});

test('only the newest moments are kept, and every count that may be asked for differs from the next', () => {
  const many = Array.from({ length: TIMES_MAX + 50 }, (_, index) =>
    row('engagement', 'scan', at(index / 100)),
  );
  const profile = many.reduce(withEvent, person());
  const scans = { event_category: 'engagement', within_days: 30 };
  expect(profile.times.engagement).toHaveLength(TIMES_MAX);
  const asked = (of: Profile, operator: Comparison['operator']) =>
    isIn(of, 'event', { ...scans, operator, value: COUNT_MAX });
  const exactly = many.slice(0, COUNT_MAX).reduce(withEvent, person());
  for (const operator of ['_gte', '_gt', '_neq'] as const)
    expect(asked(profile, operator)).toBe(true);
  for (const operator of ['_eq', '_lte', '_lt'] as const)
    expect(asked(profile, operator)).toBe(false);
  for (const operator of ['_gte', '_eq', '_lte'] as const)
    expect(asked(exactly, operator)).toBe(true);
});

test('days since the last purchase are whole days; who never bought is in none but the negations', () => {
  const since = (profile: Profile, operator: Comparison['operator'], value?: number) =>
    isIn(profile, 'metric', {
      metric: 'days_since_last_transaction',
      operator,
      ...(value === undefined ? {} : { value }),
    });
  const buyer = withEvent(person(), purchase(7.9, 10));
  expect(since(buyer, '_eq', 7)).toBe(true);
  expect(since(buyer, '_gte', 8)).toBe(false);
  expect(since(buyer, '_lt', 8)).toBe(true);
  expect(since(person(), '_lt', 8)).toBe(false);
  expect(since(person(), '_neq', 8)).toBe(true);
  expect(since(buyer, '_neq', 7)).toBe(false);
  expect(since(buyer, '_neq', 8)).toBe(true);
  expect(since(person(), '_null')).toBe(true);
  expect(since(buyer, '_nnull')).toBe(true);
});

test('points posted from outside are no points earned', () => {
  const posted = { ...earn(1, 5), metadata: { points_ledger_id: 'another entry' } };
  const earned = { metric: 'points_earned', period_days: 3, operator: '_gt', value: 0 } as const;
  expect(isIn(withEvent(person(), posted), 'metric', earned)).toBe(false);
  expect(isIn(withEvent(person(), earn(1, 5)), 'metric', earned)).toBe(true);
});

test('balances follow the newest entry of each wallet, in whatever order entries come', () => {
  const entry = (sequence: number) => ({
    active: sequence * 10_000,
    pending: 0,
    earned: 50_000,
    spent: 0,
    sequence,
  });
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (order) => {
      const profile = order.reduce((one, n) => withWallet(one, 'points', entry(n)), person());
      const newest = { wallet_type_code: 'points', balance: 'active', operator: '_eq' } as const;
      expect(isIn(profile, 'wallet_balance', { ...newest, value: Math.max(...order) })).toBe(true);
    }),
  );
});

test('who has no wallet of a type has a balance of 0', () => {
  const stars = { wallet_type_code: 'stars', balance: 'active' } as const;
  expect(isIn(person(), 'wallet_balance', { ...stars, operator: '_lt', value: 1 })).toBe(true);
  expect(isIn(person(), 'wallet_balance', { ...stars, operator: '_neq', value: 0 })).toBe(false);
});

test('a tier follows the latest move, and an older one that comes late changes nothing', () => {
  const gold = withTier(person(), 'gold', { revision: 3, at: at(1) });
  const late = withTier(gold, 'silver', { revision: 2, at: at(0) });
  expect(isIn(late, 'tier', { tier_ids: ['gold'] })).toBe(true);
  expect(isIn(late, 'tier', { tier_ids: ['gold'], negate: true })).toBe(false);
  expect(isIn(person(), 'tier', { tier_ids: 'untiered' })).toBe(true);
  expect(isIn(person(), 'tier', { tier_ids: ['gold', 'untiered'] })).toBe(true);
  expect(isIn(late, 'tier', { tier_ids: 'untiered' })).toBe(false);
});

test('a bare day means the whole day, also of a moment', () => {
  const joined = { field_name: 'joined', field_type: 'date', options: [] as string[] };
  const profile = person({ custom_fields: { joined: '2026-01-31T18:00:00+01:00' } });
  const asked = (operator: Comparison['operator'], value: string) =>
    isIn(
      profile,
      'custom_field',
      { custom_field_filters: { joined: { operator, value } } },
      { definitions: [joined as FieldDefinition] },
    );
  expect(asked('_eq', '2026-01-31')).toBe(true);
  expect(asked('_gt', '2026-01-31')).toBe(false);
  expect(asked('_lte', '2026-01-31')).toBe(true);
  expect(asked('_lt', '2026-01-31')).toBe(false);
  expect(asked('_eq', '2026-01-31T17:00:00Z')).toBe(true);
  expect(asked('_eq', '2026-01-31T18:00:00Z')).toBe(false);
  expect(asked('_eq', '2026-01-31T16:59:59Z')).toBe(false);
});

test('only contains and starts with ignore case', () => {
  const ann = person({ first_name: 'Ann' });
  const name = (operator: Comparison['operator'], value: string | string[]) =>
    isIn(ann, 'client_field', { field: 'first_name', operator, value });
  expect(name('_eq', 'ann')).toBe(false);
  expect(name('_in', ['ann'])).toBe(false);
  expect(name('_neq', 'ann')).toBe(true);
  expect(name('_contains', 'NN')).toBe(true);
  expect(name('_contains', 'NZ')).toBe(false);
  expect(name('_starts_with', 'aN')).toBe(true);
  expect(name('_starts_with', 'nn')).toBe(false);
});

test('a field that got another type keeps the segment working: values compare as they stand', () => {
  const profile = person({ custom_fields: { visits: 7 } });
  const asked = (field_type: FieldDefinition['field_type'], operator: Comparison['operator']) => {
    const visits = { field_name: 'visits', field_type, options: [] as string[] } as FieldDefinition;
    const config = { custom_field_filters: { visits: { operator, value: 5 } } };
    return isIn(profile, 'custom_field', config, { definitions: [visits] });
  };
  expect(asked('number', '_gt')).toBe(true);
  expect(asked('date', '_gt')).toBe(true);
  expect(asked('boolean', '_lt')).toBe(false);
  expect(asked('select', '_neq')).toBe(true);
});
