import { parseConfig } from './action-config';

const ID = '0198f3a0-0000-7000-8000-00000000000a';
const OTHER = '0198f3a0-0000-7000-8000-00000000000b';

/** One more reward than an action may give. */
const MANY = Array.from({ length: 21 }, (_, index) => `${ID.slice(0, -2)}${10 + index}`);
const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));

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
  ['give_reward', { reward_ids: MANY.slice(0, 20) }, {}],
  ['custom_field_update', { custom_field_updates: fields(100) }, {}],
  ['custom_field_update', { custom_field_updates: { ['x'.repeat(100)]: 1 } }, {}],
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

const at = (key: string) => `action_config.${key}`;
const KEY = at('custom_field_updates');

test.each([
  ['push_notification', null, 'action_config must be an object'],
  ['push_notification', {}, `${at('notification_message')} is required`],
  [
    'push_notification',
    { notification_message: 7 },
    `${at('notification_message')} must be a string`,
  ],
  [
    'push_notification',
    { notification_message: ' ' },
    `${at('notification_message')} must not be empty`,
  ],
  [
    'push_notification',
    { notification_message: 'x'.repeat(2_001) },
    `${at('notification_message')} must have at most 2000 characters`,
  ],
  [
    'push_notification',
    { notification_message: 'x', toString: 1 },
    `${at('toString')} is not a known field`,
  ],
  [
    'push_notification',
    { notification_message: 'x', title: 1 },
    `${at('title')} is not a known field`,
  ],
  ['assign_tier', { tier_id: `${ID}0` }, `${at('tier_id')} must be a UUID`],
  ['assign_tier', { tier_id: `0${ID}` }, `${at('tier_id')} must be a UUID`],
  ['assign_tier', { tier_id: [ID] }, `${at('tier_id')} must be a UUID`],
  [
    'assign_tier',
    { tier_id: ID, duration_days: 0 },
    `${at('duration_days')} must be a whole number from 1 to 3650, or null`,
  ],
  ['give_reward', { reward_ids: { length: 1 } }, `${at('reward_ids')} must be an array of UUIDs`],
  ['give_reward', { reward_ids: MANY }, `${at('reward_ids')} must name 1 to 20 rewards`],
  ['give_reward', { reward_ids: [] }, `${at('reward_ids')} must name 1 to 20 rewards`],
  ['give_reward', { reward_ids: [ID, ID] }, `${at('reward_ids')} must not name a reward twice`],
  ['custom_field_update', { custom_field_updates: [1] }, `${KEY} must be an object`],
  ['custom_field_update', { custom_field_updates: 'abc' }, `${KEY} must be an object`],
  [
    'custom_field_update',
    { custom_field_updates: fields(101) },
    `${KEY} must name 1 to 100 fields`,
  ],
  [
    'custom_field_update',
    { custom_field_updates: { ['x'.repeat(101)]: 1 } },
    `${KEY} must have names of 1 to 100 characters`,
  ],
] as const)('%s says of %j what is wrong with it', (type, given, message) => {
  expect(parseConfig(type, given as never).problems.map((one) => one.message)).toEqual([message]);
});
