import type { Language } from '../../language';
import { en } from '../../words/en';
import { sayChange, sayParts, sayValues } from './say-change';

const language = {
  say: (key: keyof typeof en, params: Record<string, string> = {}) =>
    String(en[key]).replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''),
  knows: (key: string) => key in en,
  number: (value: number) => value.toLocaleString('en'),
} as unknown as Language;

test('what was done is said in words, and what has no word of ours is not said in the platform’s', () => {
  expect(sayChange(language, 'rewards.update')).toBe('Reward · changed');
  expect(sayChange(language, 'moon-phases.transmogrify')).toBe('Something else · changed');
});

test('parts are named once each, and the rest once for all of it', () => {
  expect(sayParts(language, ['metadata', 'availability_start', 'availability_end', 'x_y'])).toBe(
    'when, other details',
  );
});

test('from what to what is said where both can be read', () => {
  const names = ['cost_in_points', 'active', 'tier_id', 'trigger_type', 'monetary_value'];
  const id = '01a21851-9df1-7c1d-90c4-c71f7ca3c3ad';
  expect(
    sayValues(language, names, [
      { name: 'cost_in_points', from: 1000, to: 1200 },
      { name: 'active', from: true, to: false },
      { name: 'tier_id', from: null, to: id },
      { name: 'trigger_type', from: 'custom_event', to: 'time_based' },
      { name: 'monetary_value', from: null, to: 2.5 },
    ]),
  ).toEqual([
    'price: 1,000 → 1,200',
    'on or off: Yes → No',
    'worth in money: nothing → 2.5',
    'tier, what it listens for',
  ]);
});
