import { type AnyDocument, google, googleIssue, view } from '../../testing/wallet-documents';
import { nameAtGoogle, sharedLogo } from './google-pass';

const line = (label: string, value = label) => ({ id: label, label, value });
const rowsOf = (pass: AnyDocument): string[][] =>
  pass.class.classTemplateInfo.cardTemplateOverride.cardRowTemplateInfos.map((row: object) =>
    [
      ...JSON.stringify(row).matchAll(
        /"fieldPath":"object\.(?:textModulesData\['(\w+)'\]|([\w.]+))"/g,
      ),
    ].map(([, id, path]) => id ?? path),
  );
const idsOf = ({ object }: AnyDocument) => object.textModulesData.map(({ id }: AnyDocument) => id);

test('the name of a template stands at Google without what only a card can fill, and is never empty', () => {
  const names = ['Club of {{first_name}}', 'Club', '{{first_name}}'];
  expect(names.map((name) => nameAtGoogle({ name }))).toEqual([
    'Club of',
    'Club',
    '{{first_name}}',
  ]);
});

test('the front is three rows of at most three lines, those of the top and front first', () => {
  const front_fields = ['a', 'b', 'c', 'd'].map((name) => line(name));
  const secondary_fields = ['e', 'f', 'g', 'h'].map((name) => line(name));
  const pass = google({ pass_type: 'OFFER', front_fields, secondary_fields, tier_label: 'Tier' });
  expect(rowsOf(pass)).toEqual([
    ['top', 'front_0', 'front_1'],
    ['front_2', 'front_3'],
    ['tier', 'secondary_0', 'secondary_1'],
  ]);
});

test('a row has one, two or three items, in the words of Google', () => {
  const infos = (count: number) => {
    const front_fields = ['a', 'b', 'c'].slice(0, count).map((name) => line(name));
    const bare = { top_field_label: null, top_field_value: null, secondary_fields: [] };
    const pass = google({ pass_type: 'OFFER', front_fields, ...bare });
    return pass.class.classTemplateInfo?.cardTemplateOverride.cardRowTemplateInfos;
  };
  const item = (at: number) => ({
    firstValue: { fields: [{ fieldPath: `object.textModulesData['front_${at}']` }] },
  });
  expect(infos(0)).toBeUndefined();
  expect(infos(1)).toEqual([{ oneItem: { item: item(0) } }]);
  expect(infos(2)).toEqual([{ twoItems: { startItem: item(0), endItem: item(1) } }]);
  expect(infos(3)).toEqual([
    { threeItems: { startItem: item(0), middleItem: item(1), endItem: item(2) } },
  ]);
});

test('points are shown where Google has them on a loyalty card, and as a line on all others', () => {
  expect(rowsOf(google())).toEqual([
    ['loyaltyPoints.balance', 'front_0', 'front_1'],
    ['secondary_0'],
  ]);
  expect(idsOf(google())).not.toContain('top');
  const offer = google({ pass_type: 'OFFER' });
  expect(rowsOf(offer)[0]).toEqual(['top', 'front_0', 'front_1']);
  expect(offer.object.textModulesData[0]).toEqual({ id: 'top', header: 'Beans', body: '12.5' });
});

test('a line at the top needs no more than a name or a value', () => {
  for (const top of [
    { top_field_label: 'Beans', top_field_value: null },
    { top_field_label: null },
  ])
    expect(rowsOf(google({ pass_type: 'OFFER', ...top }))[0]).toContain('top');
  const none = { top_field_label: null, top_field_value: null };
  expect(rowsOf(google({ pass_type: 'OFFER', ...none }))[0]).not.toContain('top');
  expect(google(none).object).not.toHaveProperty('loyaltyPoints');
});

test('the first line of a generic pass is its head, and stands nowhere else', () => {
  const pass = google({ pass_type: 'GENERIC' });
  expect(rowsOf(pass)[0]).toEqual(['top', 'front_1']);
  expect(idsOf(pass)).toEqual(['top', 'front_1', 'secondary_0']);
  expect(pass.class.id).toBe('33.class');
});

test('a generic pass without a line or a name has those of its programme', () => {
  const { object } = google({ pass_type: 'GENERIC', front_fields: [] });
  const { cardTitle, header } = object;
  expect([cardTitle, header].map((one) => one.defaultValue.value)).toEqual([
    'Loyalty card',
    'Loyalty card',
  ]);
  expect(object).not.toHaveProperty('subheader');
});

test('the line of the tier has a name of its own among all lines', () => {
  const pass = google({ tier_label: 'Your tier' });
  expect(idsOf(pass)).toEqual(['front_0', 'front_1', 'tier', 'secondary_0']);
  expect(pass.object.textModulesData[2]).toEqual({ id: 'tier', header: 'Your tier', body: 'Gold' });
});

test('a pass stands at Google as what it is, and ends there by itself', () => {
  const standing = (shown: Parameters<typeof view>[1]) => {
    const { state, validTimeInterval } = google({}, view({}, shown)).object;
    return [state, validTimeInterval?.end.date];
  };
  const { now } = googleIssue;
  const later = new Date(now.getTime() + 1);
  expect(standing({})).toEqual(['ACTIVE', undefined]);
  expect(standing({ status: 'voided' })).toEqual(['INACTIVE', undefined]);
  expect(standing({ expires_at: now })).toEqual(['EXPIRED', now.toISOString()]);
  expect(standing({ expires_at: now, status: 'voided' })[0]).toBe('EXPIRED');
  expect(standing({ expires_at: later })).toEqual(['ACTIVE', later.toISOString()]);
  expect(standing({ expires_at: later, status: 'voided' })[0]).toBe('INACTIVE');
});

test('a pass names at most twenty places, a barcode with its words, and its own picture', () => {
  const place = { latitude: 1, longitude: 2, name: 'Mitte' };
  const heroUrl = 'https://example.com/hero.png';
  const changes = { locations: Array(22).fill(place), barcode_label: 'At the till' };
  const { object } = google(changes, view(changes), { heroUrl });
  expect(object.locations).toHaveLength(20);
  expect(object.locations[0]).toEqual({ latitude: 1, longitude: 2 });
  expect(object.barcode).toMatchObject({ alternateText: 'At the till' });
  expect(object.heroImage.sourceUri.uri).toBe(heroUrl);
});

test('a pass without places, barcode, picture, holder or links says nothing of them', () => {
  const changes = { barcode_type: 'none', show_loyalty_portal_link_on_back: false } as const;
  const anonymous = view(changes, {}, { identity: null });
  for (const pass_type of ['LOYALTY', 'EVENT_TICKET'] as const) {
    const { object } = google({ ...changes, pass_type }, anonymous);
    for (const name of ['locations', 'barcode', 'heroImage', 'linksModuleData'])
      expect(object).not.toHaveProperty(name);
    for (const name of ['accountName', 'ticketHolderName']) expect(object).not.toHaveProperty(name);
  }
  expect(google().object.barcode).not.toHaveProperty('alternateText');
});

test('a gift card without a barcode is known by its own id, an offer by nothing else', () => {
  const bare = { pass_type: 'GIFT_CARD', barcode_type: 'none' } as const;
  expect(google(bare).object.cardNumber).toBe('object');
  expect(google({ pass_type: 'OFFER' }).object).not.toHaveProperty('genericType');
});

test.each([
  ['LOYALTY', 'GENERIC_LOYALTY_CARD'],
  ['GIFT_CARD', 'GENERIC_VOUCHER'],
  ['EVENT_TICKET', 'GENERIC_ENTRY_TICKET'],
  ['OFFER', 'GENERIC_VOUCHER'],
  ['GENERIC', 'GENERIC_OTHER'],
] as const)('a generic pass whose template became %s is %s', (pass_type, genericType) => {
  const shown = view({ pass_type });
  expect(google({ pass_type: 'GENERIC' }, shown).object.genericType).toBe(genericType);
});

test('a link to the app bears the name of an app, and no callback is named that Google cannot reach', () => {
  const { object } = google({ ios_deeplink_url: 'HTTPS://app.example.com' });
  expect(object.linksModuleData.uris.at(-1)).toEqual({
    id: 'app',
    description: 'App',
    uri: 'HTTPS://app.example.com',
  });
  expect(google({}, view(), { callbackUrl: null }).class).not.toHaveProperty('callbackOptions');
});

test('the picture that all passes share is the logo or else the icon, if it is the same for all', () => {
  expect(sharedLogo({ logo: 'a', icon: 'b' })).toBe('a');
  expect(sharedLogo({ logo: null, icon: 'b' })).toBe('b');
  expect(sharedLogo({ logo: '{{photo}}', icon: 'b' })).toBe('b');
  expect(sharedLogo({ logo: '{{photo}}', icon: null })).toBeNull();
});
