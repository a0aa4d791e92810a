import { type AudienceGroup, countInTiers, reachOf } from './audience';

const groups: AudienceGroup[] = [
  { hasPass: true, consents: true, tierId: 'gold', count: 1 },
  { hasPass: true, consents: false, tierId: 'silver', count: 10 },
  { hasPass: false, consents: true, tierId: null, count: 100 },
  { hasPass: false, consents: false, tierId: 'gold', count: 1_000 },
];

test('a message reaches who has a pass, and may be sent only to those of them who consented', () => {
  expect(reachOf(groups)).toEqual({ total: 1_111, reachable: 11, consenting: 101, addressable: 1 });
});

test('an empty audience reaches no client', () => {
  expect(reachOf([])).toEqual({ total: 0, reachable: 0, consenting: 0, addressable: 0 });
});

test('an audience of tiers has who is in one of them, and without tiers everybody', () => {
  expect(countInTiers(groups, ['gold'])).toBe(1_001);
  expect(countInTiers(groups, ['gold', 'silver'])).toBe(1_011);
  expect(countInTiers(groups, ['bronze'])).toBe(0);
  expect(countInTiers(groups, [])).toBe(1_111);
});
