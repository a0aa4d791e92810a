import type { FieldDefinition } from '../data-model';
import { filterProblems, type Vocabulary } from './check-filters';
import type { FilterConfigs, SegmentFilter } from './filter';

const size = {
  field_name: 'size',
  field_type: 'select',
  options: ['S'],
} as Partial<FieldDefinition>;
const vocabulary: Vocabulary = {
  definitions: new Map([['size', size as FieldDefinition]]),
  tierIds: new Set(['gold']),
  templateIds: new Set(['card']),
  walletTypeCodes: new Set(['points']),
  segmentIds: new Set(['nested']),
};

const problemsOf = <Type extends keyof FilterConfigs>(type: Type, config: FilterConfigs[Type]) => {
  const filter = { id: 'f', filter_type: type, filter_config: config } as SegmentFilter;
  return filterProblems([filter], vocabulary);
};
const event = (asked: Partial<FilterConfigs['event']>) =>
  problemsOf('event', {
    event_category: 'transaction',
    within_days: 30,
    operator: '_gte',
    value: 1,
    ...asked,
  });

test('a count above what is kept is refused, and the message names the bound', () => {
  const counted = { metric: 'transaction_count', period_days: 30, operator: '_gt' } as const;
  for (const problems of [event({ value: 501 }), problemsOf('metric', { ...counted, value: 501 })])
    expect(problems).toEqual([
      {
        field: 'filters.0.filter_config.value',
        message: 'value must be a whole number from 0 to 500: events are counted no further',
      },
    ]);
  expect(event({ value: 500 })).toEqual([]);
  const { period_days: _days, ...ever } = counted;
  expect(problemsOf('metric', { ...ever, value: 100_000 })).toEqual([]);
});

test.each([
  [200_000_000_000, 'less than or equal to 100000000000'],
  ['9007199254740993', 'less than or equal to 100000000000'],
  [-200_000_000_000, 'greater than or equal to -100000000000'],
])('an amount of %s is refused with the bound that it misses', (value, bound) => {
  const metric = { metric: 'total_spending', operator: '_gt', value } as const;
  expect(problemsOf('metric', metric)).toEqual([
    { field: 'filters.0.filter_config.value', message: `value must be ${bound}` },
  ]);
});

test('an amount with more than four decimal places is refused for these alone', () => {
  const metric = { metric: 'total_spending', operator: '_gt', value: 0.00001 } as const;
  expect(problemsOf('metric', metric).map(({ message }) => message)).toEqual([
    'value must have at most 4 decimal places',
  ]);
});

test('a day ends a range with its last moment, as the comparison has it', () => {
  const within = (...value: [string, string]) =>
    problemsOf('client_field', { field: 'date_created', operator: '_between', value });
  expect(within('2026-01-31T10:00:00.000Z', '2026-01-31')).toEqual([]);
  expect(within('2026-01-31T23:59:59.999Z', '2026-01-31')).toEqual([]);
  expect(within('2026-01-31', '2026-01-31T10:00:00.000Z')).toEqual([]);
  for (const [low, high] of [
    ['2026-02-01T00:00:00.000Z', '2026-01-31'],
    ['2026-01-31T10:00:00.000Z', '2026-01-31T09:00:00.000Z'],
    ['2026-02-01', '2026-01-31'],
  ] as const)
    expect(within(low, high).map(({ message }) => message)).toEqual([
      'the first value must not be above the second',
    ]);
});

test('nothing is half of a count', () => {
  expect(event({ value: 1.5 })).toHaveLength(1);
  const metrics = ['transaction_count', 'referrals_completed', 'days_since_last_transaction'];
  for (const metric of metrics as FilterConfigs['metric']['metric'][])
    expect(problemsOf('metric', { metric, operator: '_eq', value: 0.5 })).toHaveLength(1);
  expect(problemsOf('metric', { metric: 'total_spending', operator: '_eq', value: 0.5 })).toEqual(
    [],
  );
});

test('a type of event that its category never has is refused, custom ones are free', () => {
  expect(event({ event_type: 'check_in' })).toEqual([
    {
      field: 'filters.0.filter_config.event_type',
      message: 'event_type must be one of purchase, refund with event_category transaction',
    },
  ]);
  for (const [event_category, event_type] of [
    ['transaction', 'refund'],
    ['loyalty', 'points_transferred'],
    ['referral', 'referral_completed'],
    ['custom', 'anything at all'],
  ] as const)
    expect(event({ event_category, event_type })).toEqual([]);
});

const placesOf = (...asked: Parameters<typeof problemsOf>) => {
  const problems = problemsOf(...asked);
  for (const { message } of problems) expect(message).toMatch(/ (must|is no|goe?s?) /);
  return problems.map(({ field }) => field?.replace('filters.0.filter_config.', ''));
};
const one = { operator: '_eq', value: 1 } as const;

test('filters that name what the workspace has are right', () => {
  expect(placesOf('tier', { tier_ids: ['gold', 'untiered'] })).toEqual([]);
  expect(placesOf('tier', { tier_ids: 'untiered' })).toEqual([]);
  expect(placesOf('segment', { segment_id: 'nested' })).toEqual([]);
  expect(placesOf('pass', { has_pass: true })).toEqual([]);
  expect(placesOf('pass', { has_pass: true, pass_template_ids: ['card'] })).toEqual([]);
  const points = { wallet_type_code: 'points', balance: 'active', ...one } as const;
  expect(placesOf('wallet_balance', points)).toEqual([]);
  expect(placesOf('client_field', { field: 'email', operator: '_eq', value: 'a' })).toEqual([]);
  const small = { operator: '_eq', value: 'S' } as const;
  expect(placesOf('custom_field', { custom_field_filters: { size: small } })).toEqual([]);
});

test('a filter that names what the workspace has not is refused at that place', () => {
  expect(placesOf('tier', { tier_ids: ['gold', 'lead'] })).toEqual(['tier_ids.1']);
  expect(placesOf('segment', { segment_id: 'gone' })).toEqual(['segment_id']);
  const templates = { has_pass: false, pass_template_ids: ['card', 'gone'] };
  expect(placesOf('pass', templates)).toEqual(['pass_template_ids.1']);
  const stars = { wallet_type_code: 'stars', balance: 'active', ...one } as const;
  expect(placesOf('wallet_balance', stars)).toEqual(['wallet_type_code']);
  expect(placesOf('client_field', { field: 'shoe_size', ...one })).toEqual(['field']);
});

test('a value of another type than its field is refused at that field, and the filter is named by its number', () => {
  const points = { wallet_type_code: 'points', balance: 'active' } as const;
  const text = { operator: '_eq', value: 'much' } as const;
  expect(placesOf('wallet_balance', { ...points, ...text })).toEqual(['value']);
  expect(placesOf('client_field', { field: 'email', ...one })).toEqual(['value']);
  const sizes = { custom_field_filters: { size: { operator: '_eq', value: 'M' } as const } };
  expect(placesOf('custom_field', sizes)).toEqual(['custom_field_filters.size.value']);
  const right = { id: 'a', filter_type: 'pass', filter_config: { has_pass: true } } as const;
  const wrong = { id: 'b', filter_type: 'custom_field', filter_config: sizes } as const;
  expect(filterProblems([right, wrong], vocabulary)).toMatchObject([
    { field: 'filters.1.filter_config.custom_field_filters.size.value' },
  ]);
});

test('only of the days since the last purchase it is asked whether there are any', () => {
  const isAsked = (metric: FilterConfigs['metric']['metric'], period?: { period_days: number }) =>
    placesOf('metric', { metric, operator: '_null', ...period }).length === 0;
  expect(isAsked('days_since_last_transaction')).toBe(true);
  for (const metric of ['transaction_count', 'referrals_completed', 'total_spending'] as const)
    expect(isAsked(metric)).toBe(false);
  expect(isAsked('transaction_count', { period_days: 30 })).toBe(false);
});

test('a sum may have decimals and any size over a period; completed referrals are counted as events are', () => {
  const over = { period_days: 30, operator: '_gt' } as const;
  expect(placesOf('metric', { metric: 'total_spending', ...over, value: 1_000.5 })).toEqual([]);
  expect(placesOf('metric', { metric: 'points_earned', ...over, value: 1_000 })).toEqual([]);
  const away = { metric: 'days_since_last_transaction', ...over } as const;
  expect(placesOf('metric', { ...away, value: 501 })).toEqual([]);
  const referrals = { metric: 'referrals_completed', ...over } as const;
  expect(placesOf('metric', { ...referrals, value: 501 })).toEqual(['value']);
});
