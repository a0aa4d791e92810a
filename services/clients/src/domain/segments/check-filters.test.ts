import { filterProblems, type Vocabulary } from './check-filters';
import type { FilterConfigs, SegmentFilter } from './filter';

const vocabulary: Vocabulary = {
  definitions: new Map(),
  tierIds: new Set(),
  templateIds: new Set(),
  walletTypeCodes: new Set(),
  segmentIds: new Set(),
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
