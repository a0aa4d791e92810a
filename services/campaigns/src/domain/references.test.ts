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

test('what is named as one thing is not found as another', () => {
  const all = [giving, assigning, switching] as unknown as Action[];
  const found = (kind: string, id: string) =>
    refersTo({ segment_id: 's' }, all, { kind, ids: [id] });
  const named = { segment: 's', reward: 'r1', tier: 't', pass_template: 'p' };
  for (const kind of Object.keys(named))
    for (const [other, id] of Object.entries(named)) expect(found(kind, id)).toBe(kind === other);
  expect(found('client', 't')).toBe(false);
});

test('an action of another kind names nothing, whatever is in its config', () => {
  const pushing = {
    action_type: 'push_notification',
    action_config: { reward_ids: ['r1'], tier_id: 't' },
  };
  const actions = [pushing] as unknown as Action[];
  for (const [kind, id] of [
    ['reward', 'r1'],
    ['tier', 't'],
  ] as const)
    expect(refersTo({ segment_id: null }, actions, { kind, ids: [id] })).toBe(false);
});
