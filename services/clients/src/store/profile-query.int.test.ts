import { newId } from '@laurel/lifecycle';
import { type TestStore, testStore } from '@laurel/testing';
import fc from 'fast-check';
import { newClient } from '../domain/client';
import type { FieldDefinition } from '../domain/data-model';
import { criterionOf } from '../domain/segments/criteria';
import { complies } from '../domain/segments/criterion';
import { customField } from '../domain/segments/fields';
import type { SegmentFilter } from '../domain/segments/filter';
import { newProfile, type Profile } from '../domain/segments/profile';
import { withEvent, withPasses, withTier, withWallet } from '../domain/segments/profile-changes';
import { blankEvent, type TrailEvent } from '../domain/trail-event';
import {
  CONTACT_KEYS,
  profiles as collection,
  createProfileStore,
  type ProfileStore,
} from './profiles';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const WORKSPACE = newId();
const TIERS = [newId(), newId()];
const TEMPLATES = [newId(), newId()];
const RUNS = 300;

let store: TestStore;
let profiles: ProfileStore;
beforeAll(async () => {
  store = await testStore([collection]);
  profiles = createProfileStore(store.connection);
});
afterAll(() => store.drop());

const defined = (field_name: string, field_type: FieldDefinition['field_type']) =>
  [field_name, { field_name, field_type, options: ['S', 'L'] } as FieldDefinition] as const;
const definitions = new Map([
  defined('visits', 'number'),
  defined('size', 'select'),
  defined('joined_on', 'date'),
]);

const CONTEXT = { now: NOW, definitions, contactKeys: CONTACT_KEYS };
const address = fc.constantFrom('Ann@a.ch', 'ann@A.ch', 'bo@a.ch');
const text = fc.constantFrom(
  '',
  'Ann',
  'ann',
  'Anna',
  'a.n',
  'Żuk',
  'żuk*',
  'Érik',
  'érik',
  '(b',
  'B$',
  '5',
);
const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-02-${String(n).padStart(2, '0')}`);
const moment = fc
  .integer({ min: 0, max: 40 * 24 })
  .map((hours) => new Date(NOW.getTime() - hours * 3_600_000));
const anything = fc.oneof(
  text,
  fc.integer({ min: -3, max: 9 }),
  fc.boolean(),
  day,
  fc.constant(null),
  fc.array(fc.oneof(text, fc.integer({ min: 0, max: 5 })), { maxLength: 3 }),
  fc.constant({ nested: true }),
);
const NAMES = ['city', 'a.b', '$c', '0', 'visits', 'size', 'joined_on'];
const customFields = fc.dictionary(fc.constantFrom(...NAMES), anything, { maxKeys: 4 });

const row = fc
  .record({ at: moment, kind: fc.nat(5), amount: fc.integer({ min: 0, max: 300_000 }) })
  .map(({ at, kind, amount }): TrailEvent => {
    const [category, type] = (
      [
        ['transaction', 'purchase'],
        ['transaction', 'refund'],
        ['engagement', 'scan'],
        ['custom', 'quiz.$1'],
        ['loyalty', 'points_earned'],
        ['referral', 'referral_completed'],
      ] as const
    )[kind]!;
    const id = newId();
    const origin = { id, workspaceId: WORKSPACE, clientId: null, passId: null, clientName: null };
    return {
      ...blankEvent(category, type, { ...origin, timestamp: at, source: null }),
      amount: (category === 'transaction' ? amount : null) as never,
      points_delta: (category === 'loyalty' ? amount : null) as never,
      metadata: { points_ledger_id: id, role: 'referrer' },
    };
  });

const profile = fc
  .record({
    first_name: fc.option(text),
    email: fc.option(address),
    birth_date: fc.option(day),
    source: fc.option(text),
    marketing_consent: fc.boolean(),
    status: fc.constantFrom('active' as const, 'inactive' as const),
    custom_fields: customFields,
    created: moment,
    tier: fc.option(fc.constantFrom(...TIERS)),
    balance: fc.option(fc.integer({ min: -5, max: 50_000 })),
    rows: fc.array(row, { maxLength: 8 }),
    passes: fc.array(fc.tuple(fc.constantFrom(...TEMPLATES), fc.boolean()), { maxLength: 2 }),
  })
  .map(({ created, tier, balance, rows, passes, ...fields }): Profile => {
    const client = newClient({ id: newId(), workspaceId: WORKSPACE }, fields as never, {
      source: 'api',
      now: created,
    });
    const placed = withTier(newProfile(client, CONTACT_KEYS), tier, { revision: 1, at: created });
    const wallet = { active: balance ?? 0, pending: 0, earned: 10_000, spent: 0, sequence: 1 };
    const rich = balance === null ? placed : withWallet(placed, 'points', wallet);
    const told = rows.reduce(withEvent, rich);
    const own = passes.map(([template_id, installed]) => ({ id: newId(), template_id, installed }));
    return withPasses(told, own);
  });

const LISTS = ['_in', '_nin'];
/** A comparison whose values `operand` makes, with any operator that goes with them. */
const comparison = (
  operand: fc.Arbitrary<unknown>,
  operators: readonly string[],
): fc.Arbitrary<object> =>
  fc.constantFrom(...operators).chain((operator): fc.Arbitrary<object> => {
    if (operator === '_null' || operator === '_nnull') return fc.constant({ operator });
    if (LISTS.includes(operator))
      return fc.record({
        operator: fc.constant(operator),
        value: fc.array(operand, { minLength: 1, maxLength: 3 }),
      });
    if (operator === '_between')
      return fc.tuple(operand, operand).map((pair) => ({
        operator,
        value: pair.sort((a, b) => ((a as number) < (b as number) ? -1 : 1)),
      }));
    return fc.record({ operator: fc.constant(operator), value: operand });
  });
const EQUAL = ['_eq', '_neq', ...LISTS];
const ORDER = ['_gt', '_gte', '_lt', '_lte', '_between'];
const NULLS = ['_null', '_nnull'];
const PARTS = ['_contains', '_starts_with'];
const part = text.filter((one) => one !== '');
const number = fc.integer({ min: 0, max: 9 });
const days = fc.integer({ min: 1, max: 45 });
const onFreeForm = fc.oneof(
  comparison(fc.oneof(text, number, fc.boolean()), [...EQUAL, ...NULLS]),
  comparison(text, ORDER),
  comparison(number, ORDER),
  comparison(part, PARTS),
);
const onCustomField = fc.oneof(
  fc.record({ name: fc.constantFrom('city', 'a.b', '$c', '0'), how: onFreeForm }),
  fc.record({
    name: fc.constant('visits'),
    how: comparison(number, [...EQUAL, ...ORDER, ...NULLS]),
  }),
  fc.record({
    name: fc.constant('joined_on'),
    how: comparison(day, [...EQUAL, ...ORDER, ...NULLS]),
  }),
);
const onMetric = fc.oneof(
  fc.record({
    metric: fc.constantFrom('transaction_count', 'referrals_completed'),
    how: comparison(fc.integer({ min: 0, max: 4 }), [...EQUAL, ...ORDER]),
  }),
  fc.record({
    metric: fc.constantFrom('total_spending', 'points_earned'),
    how: comparison(fc.integer({ min: -20, max: 60 }), [...EQUAL, ...ORDER]),
  }),
  fc.record({
    metric: fc.constant('days_since_last_transaction'),
    how: comparison(fc.integer({ min: 0, max: 40 }), [...EQUAL, ...ORDER, ...NULLS]),
  }),
);

const of = (type: string, asked: object): [string, object] => [type, asked];
const config = fc.oneof(
  onCustomField.map(({ name, how }) =>
    of('custom_field', { custom_field_filters: { [name]: how } }),
  ),
  fc
    .oneof(
      fc.record({
        field: fc.constantFrom('first_name', 'source'),
        how: fc.oneof(comparison(text, [...EQUAL, ...ORDER, ...NULLS]), comparison(part, PARTS)),
      }),
      fc.record({
        field: fc.constantFrom('birth_date', 'date_created'),
        how: comparison(day, [...EQUAL, ...ORDER, ...NULLS]),
      }),
      fc.record({
        field: fc.constant('marketing_consent'),
        how: comparison(fc.boolean(), [...EQUAL, ...NULLS]),
      }),
      fc.record({ field: fc.constant('email'), how: comparison(address, EQUAL) }),
      fc.record({ field: fc.constant('custom_fields'), how: comparison(text, NULLS) }),
    )
    .map(({ field, how }) => of('client_field', { field, ...how })),
  fc
    .record({
      tier_ids: fc.oneof(
        fc.constant('untiered'),
        fc.array(fc.constantFrom(...TIERS, 'untiered'), { minLength: 1, maxLength: 2 }),
      ),
      negate: fc.boolean(),
    })
    .map((tier) => of('tier', tier)),
  fc
    .record({
      wallet_type_code: fc.constantFrom('points', 'stars'),
      balance: fc.constantFrom('active', 'pending', 'earned'),
      how: comparison(fc.integer({ min: -1, max: 5 }), [...EQUAL, ...ORDER]),
    })
    .map(({ how, ...asked }) => of('wallet_balance', { ...asked, ...how })),
  fc
    .record({ asked: onMetric, period_days: fc.option(days, { nil: undefined }) })
    .map(({ asked: { metric, how }, ...window }) => of('metric', { metric, ...window, ...how })),
  fc
    .record({
      kind: fc.constantFrom(
        { event_category: 'engagement' },
        { event_category: 'transaction' },
        { event_category: 'transaction', event_type: 'refund' },
        { event_category: 'custom', event_type: 'quiz.$1' },
      ),
      within_days: days,
      how: comparison(fc.integer({ min: 0, max: 4 }), [...EQUAL, ...ORDER]),
    })
    .map(({ kind, how, ...window }) => of('event', { ...kind, ...window, ...how })),
  fc
    .record({
      has_pass: fc.boolean(),
      pass_template_ids: fc.option(fc.constant([TEMPLATES[0]!]), { nil: undefined }),
      installed: fc.option(fc.boolean(), { nil: undefined }),
    })
    .map((pass) => of('pass', pass)),
);
const filter = config.map(([filter_type, filter_config]) => {
  const given = Object.entries(filter_config).filter(([, value]) => value !== undefined);
  return { id: newId(), filter_type, filter_config: Object.fromEntries(given) };
}) as unknown as fc.Arbitrary<SegmentFilter>;

test('the store finds exactly the profiles that comply with the filters', async () => {
  const some = fc.sample(profile, 80);
  const inner = newId();
  await store.connection.collection('client_profiles').insertMany(
    some.map(({ id, ...columns }) => ({
      _id: id as never,
      ...columns,
      date_created: columns.columns.date_created,
    })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(filter, { maxLength: 2 }),
      fc.option(fc.tuple(fc.array(filter, { maxLength: 2 }), fc.boolean())),
      async (own, nested) => {
        const filters: SegmentFilter[] = nested
          ? [
              ...own,
              {
                id: newId(),
                filter_type: 'segment',
                filter_config: { segment_id: inner, negate: nested[1] },
              },
            ]
          : own;
        const segments = new Map([[inner, { filters: nested?.[0] ?? [] }]]);
        const criterion = criterionOf(filters, { ...CONTEXT, segments });
        const expected = some.filter((one) => complies(one, criterion)).map(({ id }) => id);
        const page = { limit: 100, offset: 0 };
        const { clientIds } = await profiles.list(WORKSPACE, criterion, page);
        expect([...clientIds].sort()).toEqual(expected.sort());
        expect(await profiles.count(WORKSPACE, criterion)).toBe(expected.length);
        expect(await profiles.count(newId(), criterion)).toBe(0);
      },
    ),
    { numRuns: RUNS },
  );
});

test('a filter with a null character, kept before they were refused, finds no client instead of failing', async () => {
  const asking = (path: string, comparing: 'contains' | 'starts_with' | 'eq' | 'gte') =>
    profiles.count(WORKSPACE, { path, is: comparing, to: 'a\0' });
  for (const comparing of ['contains', 'starts_with', 'eq', 'gte'] as const)
    expect(await asking('columns.source', comparing)).toBe(0);
  expect(await profiles.count(WORKSPACE, { path: 'columns.source', oneOf: ['a\0'] })).toBe(0);
  const { type, path } = customField('a\0b', new Map());
  expect(type.kind).toBe('free');
  expect(await profiles.count(WORKSPACE, { path, oneOf: ['x'] })).toBe(0);
});
