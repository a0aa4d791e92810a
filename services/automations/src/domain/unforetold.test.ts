import { newRule, type Rule } from './rule';
import { trigger } from './trigger';
import { unforetoldRules } from './unforetold';

const at = new Date('2026-01-15T10:00:00.000Z');
const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
  ...newRule(
    { id, workspaceId: 'w', now: at },
    { name: id, trigger_type: 'transaction', effects: [] },
  ),
  ...more,
});
const bought = trigger({
  type: 'transaction',
  eventType: 'purchase',
  eventId: 'e',
  eventCategory: 'transaction',
  clientId: 'c',
  at,
  amount: 10,
});

test('of what cannot be foretold the rules are named that would be asked: on, for it, and within their days', () => {
  const asked = rule('asked');
  const rules = [
    asked,
    rule('off', { active: false }),
    rule('other', { trigger_type: 'referral' }),
    rule('over', { activity_window: { end_date: '2026-01-14T00:00:00.000Z' } }),
  ];
  const untold = { happened: bought, reason: 'cards' } as const;
  expect(unforetoldRules(rules, [untold, untold])).toEqual([
    { rule: asked, happened: bought, reason: 'cards' },
    { rule: asked, happened: bought, reason: 'cards' },
  ]);
  expect(unforetoldRules(rules, [])).toEqual([]);
});
