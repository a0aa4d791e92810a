import type { FilterConfigs, SegmentFilter } from './filter';
import { refersTo } from './references';

const filter = <Type extends keyof FilterConfigs>(type: Type, config: FilterConfigs[Type]) =>
  [{ id: 'f', filter_type: type, filter_config: config }] as SegmentFilter[];
const over = { operator: '_gt', value: 1 } as const;

test.each([
  ['segment', filter('segment', { segment_id: 's', negate: true }), 's'],
  ['tier', filter('tier', { tier_ids: ['untiered', 't'] }), 't'],
  [
    'wallet_type',
    filter('wallet_balance', { wallet_type_code: 'points', balance: 'active', ...over }),
    'points',
  ],
  ['pass_template', filter('pass', { has_pass: false, pass_template_ids: ['p'] }), 'p'],
])('a %s that a segment names is found', (kind, filters, id) => {
  expect(refersTo(filters, kind, ['other', id])).toBe(true);
  expect(refersTo(filters, kind, ['other'])).toBe(false);
  expect(refersTo(filters, 'reward', [id])).toBe(false);
});

test('a segment of those in no tier, or with any pass, names nothing', () => {
  expect(refersTo(filter('tier', { tier_ids: 'untiered' }), 'tier', ['untiered'])).toBe(false);
  expect(refersTo(filter('pass', { has_pass: true }), 'pass_template', ['p'])).toBe(false);
});
