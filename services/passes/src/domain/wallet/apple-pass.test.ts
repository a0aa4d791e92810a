import { type AnyDocument, apple, view } from '../../testing/wallet-documents';
import { hasStrip } from './apple-pass';

const COVER = 'https://example.com/c.png';

test('a cover stands behind the first field on every style but the generic one', () => {
  for (const pass_type of ['LOYALTY', 'GIFT_CARD', 'OFFER', 'EVENT_TICKET'] as const)
    expect(hasStrip(view({ pass_type, cover_image: COVER }))).toBe(true);
  expect(hasStrip(view({ pass_type: 'GENERIC', cover_image: COVER }))).toBe(false);
  expect(hasStrip(view({ pass_type: 'LOYALTY' }))).toBe(false);
});

test('a line keeps the place where it stands in its key, so that a phone tells changes apart', () => {
  const { storeCard } = apple({ back_fields: [{ id: '9', label: 'Terms', value: 'None' }] });
  const keysOf = (list: string) => storeCard[list].map(({ key }: { key: string }) => key);
  expect(keysOf('headerFields')).toEqual(['header.top']);
  expect(keysOf('primaryFields')).toEqual(['primary.1']);
  expect(keysOf('secondaryFields')).toEqual(['secondary.2']);
  expect(keysOf('auxiliaryFields')).toEqual(['auxiliary.1']);
  expect(keysOf('backFields')).toEqual(['back.loyalty_portal_link', 'back.9']);
});

test('a card without a line at its top has no header', () => {
  const { storeCard } = apple({ top_field_label: null, top_field_value: null });
  expect(storeCard.headerFields).toEqual([]);
});

test('a link can be tapped, whatever signs are in it, and a text is none', () => {
  const portalUrl = 'https://example.com/?a="1"&b=<2>';
  const { storeCard } = apple(
    { back_fields: [{ id: '9', label: 'a', value: 'b' }] },
    {},
    { portalUrl },
  );
  const [portal, text] = storeCard.backFields;
  const safe = 'https://example.com/?a=&quot;1&quot;&amp;b=&lt;2&gt;';
  expect(portal).toMatchObject({
    value: portalUrl,
    attributedValue: `<a href="${safe}">${safe}</a>`,
  });
  expect(text).not.toHaveProperty('attributedValue');
});

test('a pass that has ended is greyed out by the phone itself', () => {
  const end = (pass: AnyDocument) => [pass.voided, pass.expirationDate];
  const expires_at = new Date('2026-02-01T00:00:00Z');
  expect(end(apple())).toEqual([undefined, undefined]);
  expect(end(apple({}, { status: 'voided' }))).toEqual([true, undefined]);
  expect(end(apple({}, { expires_at }))).toEqual([undefined, '2026-02-01T00:00:00.000Z']);
});

test('a place has its height and its own name where these are known, and no other text', () => {
  const place = { latitude: 1, longitude: 2 };
  const { locations } = apple({
    locations: [place, { ...place, altitude: 0, name: 'Mitte' }],
  });
  expect(locations).toEqual([place, { ...place, altitude: 0, relevantText: 'Mitte' }]);
});

test('an app is offered with or without a place in it to go to', () => {
  expect(apple({ ios_deeplink_id: 5 })).toMatchObject({ associatedStoreIdentifiers: [5] });
  expect(apple({ ios_deeplink_id: 5 })).not.toHaveProperty('appLaunchURL');
  expect(apple({ ios_deeplink_url: 'beans://card' })).not.toHaveProperty('appLaunchURL');
});

test('the name beside the logo and the words under the barcode are there only where they are given', () => {
  expect(apple({ logo_text: 'Beans' }).logoText).toBe('Beans');
  expect(apple()).not.toHaveProperty('logoText');
  expect(apple().barcodes[0]).not.toHaveProperty('altText');
});

test('a text that comes again is another one for a phone that slept through sixty, and never grows beyond that', () => {
  const value = (notification_repeat: number) =>
    apple({}, { notification: 'Hi', notification_repeat }).storeCard.backFields[0].value;
  const values = Array.from({ length: 64 }, (_, repeat) => value(repeat));
  expect(new Set(values).size).toBe(64);
  expect(value(64)).toBe('Hi');
  expect(value(65)).toBe(value(1));
});
