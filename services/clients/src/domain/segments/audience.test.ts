import { type AudienceGroup, countInTiers, reachOf } from './audience';

const groups: AudienceGroup[] = [
  { hasPass: true, consents: true, loyaltyEnabled: true, tierId: 'gold', count: 1 },
  { hasPass: true, consents: false, loyaltyEnabled: true, tierId: 'silver', count: 10 },
  { hasPass: false, consents: true, loyaltyEnabled: false, tierId: null, count: 100 },
  { hasPass: false, consents: false, loyaltyEnabled: true, tierId: 'gold', count: 1_000 },
];

test('a message reaches who has a pass, and may be sent only to those of them who consented', () => {
  expect(reachOf(groups)).toMatchObject({
    total: 1_111,
    reachable: 11,
    consenting: 101,
    addressable: 1,
  });
});

test('an empty audience reaches no client', () => {
  const none = { total: 0, reachable: 0, consenting: 0, addressable: 0, loyaltyEnabled: 0 };
  expect(reachOf([])).toEqual(none);
});

test('an audience of tiers has who is in one of them, and without tiers everybody', () => {
  expect(countInTiers(groups, ['gold'])).toBe(1_001);
  expect(countInTiers(groups, ['gold', 'silver'])).toBe(1_011);
  expect(countInTiers(groups, ['bronze'])).toBe(0);
  expect(countInTiers(groups, [])).toBe(1_111);
});

test('a tier that is assigned to an audience is had by who is in the programme, in place of theirs', () => {
  expect(reachOf(groups)).toMatchObject({ loyaltyEnabled: 1_011 });
  expect(countInTiers(groups, ['vip'], 'vip')).toBe(1_011);
  expect(countInTiers(groups, ['gold', 'silver'], 'vip')).toBe(0);
  expect(countInTiers(groups, [], 'vip')).toBe(1_111);
});
