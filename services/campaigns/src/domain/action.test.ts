import type { CampaignActionStatus, CampaignActionType } from '@laurel/contract';
import {
  type Action,
  type Deed,
  isAwaited,
  isDone,
  lastSort,
  newAction,
  reachesPasses,
  statusAfter,
} from './action';

const now = new Date('2026-01-15T10:00:00.000Z');
const identity = { id: 'a', workspaceId: 'w', campaignId: 'c', now };
const deed: Deed = { action_type: 'give_reward', action_config: { reward_ids: ['r'] } };
const action = (fields: Partial<Action> = {}) =>
  ({ ...newAction(identity, deed, 0), ...fields }) as Action;

test.each<[CampaignActionType, boolean]>([
  ['push_notification', true],
  ['template_switch', true],
  ['custom_field_update', false],
  ['give_reward', false],
  ['assign_tier', false],
])('%s reaches passes: %s', (action_type, expected) => {
  expect(reachesPasses({ action_type })).toBe(expected);
});

test.each<[CampaignActionStatus, boolean]>([
  ['pending', false],
  ['in_progress', false],
  ['completed', true],
  ['failed', true],
])(
  'an action that is %s is done: %s, and awaited only while it is asked for and not done',
  (status, done) => {
    expect(isDone(action({ status }))).toBe(done);
    expect(isAwaited(action({ status, requested: true }))).toBe(!done);
    expect(isAwaited(action({ status, requested: false }))).toBe(false);
  },
);

test('a new action is pending, has reached no member and is not asked for yet', () => {
  expect(newAction(identity, deed, 7)).toEqual({
    id: 'a',
    workspace_id: 'w',
    campaign_id: 'c',
    action_type: 'give_reward',
    action_config: { reward_ids: ['r'] },
    status: 'pending',
    sort: 7,
    executed_at: null,
    error_message: null,
    date_created: now,
    requested: false,
    progress: 0,
    handedOut: 0,
  });
});

test('an action without a place of its own goes behind the last, whatever the order they are in', () => {
  expect(lastSort([])).toBe(0);
  expect(lastSort([{ sort: 2 }, { sort: 9 }, { sort: 4 }].map(action))).toBe(10);
});

test.each([
  [0, 0, 'completed'],
  [3, 0, 'completed'],
  [1, 5, 'completed'],
  [0, 1, 'failed'],
] as const)(
  'with %d who were reached and %d failures an action has %s',
  (completed, failed, status) => {
    expect(statusAfter({ completed, failed })).toBe(status);
  },
);
