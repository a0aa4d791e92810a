import type { TriggerType } from '@laurel/contract';
import type { TriggerConfig } from './rule';
import { configProblems } from './trigger-config';

const paths = (type: TriggerType, config: TriggerConfig) =>
  configProblems(type, config).map(({ path }) => path);

describe('a trigger_config that could never fire, or would fire on everything, is refused:', () => {
  test.each([
    ['transaction', { event_types: ['buy'] }, ['event_types.0']],
    ['transaction', { event_types: ['purchase', 'refnd'] }, ['event_types.1']],
    ['transaction', { schedule: { cron: '* * * * *' } }, ['schedule']],
    ['transaction', { min_amount: 5, max_amount: 4 }, ['max_amount']],
    ['transaction', { role: 'referrer' }, ['role']],
    ['loyalty', { event_types: ['check_in'] }, ['event_types.0']],
    ['pass_lifecycle', { event_types: ['purchase'] }, ['event_types.0']],
    ['referral', { event_types: ['referral_done'] }, ['event_types.0']],
    ['custom_event', { min_amount: 1 }, ['min_amount']],
    ['field_change', { field_names: ['custom_fields.city'] }, ['field_names.0']],
    ['field_change', { change_direction: 'to_value' }, ['value']],
    ['field_change', { change_direction: 'any', value: 'x' }, ['value']],
    ['time_based', { event_types: ['purchase'] }, ['event_types']],
    ['transaction', { change_direction: 'to_value' }, ['change_direction']],
  ] as const)('%s %j', (type, config, expected) => {
    expect(paths(type, config as TriggerConfig)).toEqual(expected);
  });

  test.each([
    ['transaction', { event_types: ['purchase', 'refund'], min_amount: 0, max_amount: 0 }],
    ['custom_event', { event_types: ['whatever somebody calls it', 'check_in'] }],
    ['field_change', { field_names: ['city'], change_direction: 'to_value', value: 'Rome' }],
    ['referral', { event_types: ['referral_completed'], role: 'any' }],
    ['time_based', { schedule: { cron: '* * * * *' } }],
    ['transaction', { min_amount: 5 }],
    ['transaction', { max_amount: 5 }],
    ['transaction', { min_amount: 5, max_amount: 5 }],
    ['field_change', { event_types: ['field_updated'] }],
    ['loyalty', {}],
  ] as const)('not %s %j', (type, config) => {
    expect(paths(type, config as unknown as TriggerConfig)).toEqual([]);
  });
});

test.each([
  [
    'referral',
    { min_amount: 1 },
    'means nothing with trigger_type referral, which knows event_types, role',
  ],
  ['transaction', { event_types: ['buy'] }, 'must be one of purchase, refund'],
  [
    'field_change',
    { field_names: ['custom_fields.city'] },
    'must be the bare name of the field: city',
  ],
  ['transaction', { min_amount: 5, max_amount: 4 }, 'must not be below min_amount'],
  ['field_change', { change_direction: 'to_value' }, 'is required with change_direction to_value'],
  [
    'field_change',
    { change_direction: 'any', value: 'x' },
    'means something with change_direction to_value only',
  ],
] as const)('the complaint about %s %j says what would do', (type, config, complaint) => {
  expect(configProblems(type, config as TriggerConfig)).toMatchObject([{ complaint }]);
});
