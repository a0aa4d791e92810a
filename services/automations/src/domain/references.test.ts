import { refersTo } from './references';
import type { Condition, Effect } from './rule';

const rule = (conditions: Condition[], effects: Effect[] = []) => ({ conditions, effects });
const formula = (expression: string) => rule([{ type: 'expression', expression }]);
const earning = (wallet_type_code: string): Effect => ({
  type: 'earn_points',
  wallet_type_code,
  amount_type: 'fixed',
  amount: 1,
});

test.each([
  ['wallet_type', rule([], [earning('points')]), 'points'],
  ['wallet_type', rule([], [{ type: 'deduct_points', wallet_type_code: 'x', amount: 1 }]), 'x'],
  [
    'wallet_type',
    rule([{ type: 'wallet_balance', wallet_type_code: 'x', operator: 'eq', value: 1 }]),
    'x',
  ],
  ['wallet_type', formula('wallet.points.active > 5'), 'points'],
  ['wallet_type', formula('wallet["points"].active > 5'), 'points'],
  ['reward', rule([], [{ type: 'give_reward', reward_id: 'r' }]), 'r'],
  ['tier', rule([{ type: 'tier', tier_id: 't' }]), 't'],
  ['tier', rule([], [{ type: 'assign_tier', tier_id: 't' }]), 't'],
  ['tier', rule([], [{ type: 'remove_tier', tier_id: 't' }]), 't'],
  ['tier', formula('tier.id == "0198f3a0-t"'), '0198f3a0-t'],
  ['segment', rule([{ type: 'segment', segment_id: 's' }]), 's'],
  ['pass_template', rule([], [{ type: 'switch_template', template_id: 'p' }]), 'p'],
  ['webhook', rule([], [{ type: 'call_webhook', webhook_id: 'w' }]), 'w'],
])('a %s that a rule names is found wherever it stands', (kind, naming, id) => {
  expect(refersTo(naming, kind, ['other', id])).toBe(true);
  expect(refersTo(naming, kind, ['other'])).toBe(false);
});

test('what a rule does not name is not found by half of a code, nor as another kind of thing', () => {
  expect(refersTo(formula('wallet.points_plus.active > 5'), 'wallet_type', ['points'])).toBe(false);
  expect(refersTo(rule([], [earning('points')]), 'reward', ['points'])).toBe(false);
  expect(refersTo(rule([], [{ type: 'remove_tier' }]), 'tier', ['undefined'])).toBe(false);
  expect(refersTo(rule([], [earning('points')]), 'distribution', ['points'])).toBe(false);
  expect(refersTo(formula('wallet.points.active > 5'), 'reward', ['points'])).toBe(false);
});

test('one part that names a thing is enough, among any that do not', () => {
  const several = rule(
    [{ type: 'segment', segment_id: 's' }],
    [earning('points'), { type: 'give_reward', reward_id: 'r' }],
  );
  expect(refersTo(several, 'reward', ['r'])).toBe(true);
  expect(refersTo(several, 'wallet_type', ['points'])).toBe(true);
  expect(refersTo(several, 'reward', ['s'])).toBe(false);
});
