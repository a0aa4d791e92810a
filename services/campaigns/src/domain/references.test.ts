import type { Action } from './action';
import { refersTo } from './references';

const giving = { action_type: 'give_reward', action_config: { reward_ids: ['r1', 'r2'] } };
const assigning = { action_type: 'assign_tier', action_config: { tier_id: 't' } };
const switching = { action_type: 'template_switch', action_config: { target_template_id: 'p' } };

test.each([
  ['segment', [], 's'],
  ['reward', [assigning, giving], 'r2'],
  ['tier', [assigning], 't'],
  ['pass_template', [giving, switching], 'p'],
])('a %s that a campaign names is found', (kind, actions, id) => {
  const campaign = { segment_id: 's' };
  const given = actions as unknown as Action[];
  expect(refersTo(campaign, given, { kind, ids: ['other', id] })).toBe(true);
  expect(refersTo(campaign, given, { kind, ids: ['other'] })).toBe(false);
  expect(refersTo({ segment_id: null }, [], { kind, ids: [id] })).toBe(false);
});
