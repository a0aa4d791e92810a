import { parseConfig } from './action-config';

const ID = '0198f3a0-0000-7000-8000-00000000000a';
const OTHER = '0198f3a0-0000-7000-8000-00000000000b';

const fieldsOf = (...given: Parameters<typeof parseConfig>) =>
  parseConfig(...given).problems.map(({ field }) => field);

test.each([
  ['push_notification', { notification_message: 'x'.repeat(2_000) }, {}],
  [
    'template_switch',
    { target_template_id: ID.toUpperCase() },
    { target_template_id: ID, duration_days: null },
  ],
  ['template_switch', { target_template_id: ID, duration_days: 3_650 }, {}],
  ['assign_tier', { tier_id: ID, duration_days: 1 }, {}],
  ['assign_tier', { tier_id: ID, duration_days: null }, {}],
  ['give_reward', { reward_ids: [ID, OTHER] }, {}],
  ['custom_field_update', { custom_field_updates: { a: null, b: [1], 'c.d': { e: 'f' } } }, {}],
] as const)('%s takes %j', (type, given, normalized) => {
  expect(parseConfig(type, given as never)).toEqual({
    config: { ...given, ...normalized },
    problems: [],
  });
});

test.each([
  ['push_notification', null, ['action_config']],
  ['push_notification', [], ['action_config']],
  ['push_notification', { notification_message: '  ' }, ['action_config.notification_message']],
  [
    'push_notification',
    { notification_message: 'x'.repeat(2_001), title: 1 },
    ['action_config.title', 'action_config.notification_message'],
  ],
  [
    'template_switch',
    { target_template_id: 7, duration_days: 0 },
    ['action_config.target_template_id', 'action_config.duration_days'],
  ],
  ['assign_tier', { tier_id: ID, duration_days: 3_651 }, ['action_config.duration_days']],
  ['assign_tier', { tier_id: ID, duration_days: 1.5 }, ['action_config.duration_days']],
  ['assign_tier', { tier_id: ID, duration_days: '7' }, ['action_config.duration_days']],
  ['give_reward', { reward_ids: ID }, ['action_config.reward_ids']],
  ['give_reward', { reward_ids: [] }, ['action_config.reward_ids']],
  [
    'give_reward',
    { reward_ids: [ID, 'x', 7] },
    ['action_config.reward_ids.1', 'action_config.reward_ids.2'],
  ],
  ['give_reward', { reward_ids: [ID, ID.toUpperCase()] }, ['action_config.reward_ids']],
  ['custom_field_update', { custom_field_updates: {} }, ['action_config.custom_field_updates']],
  [
    'custom_field_update',
    { custom_field_updates: { '': 1 } },
    ['action_config.custom_field_updates'],
  ],
] as const)('%s refuses %j at %j', (type, given, fields) => {
  expect(fieldsOf(type, given as never)).toEqual(fields);
});
