import type { JsonObject } from '@laurel/errors';
import { PASS_ID, sampleFacts, samplePass, sampleTemplate } from '../../testing/samples';
import {
  type AnyDocument,
  apple,
  appleIssue,
  fields,
  google,
} from '../../testing/wallet-documents';
import { toApplePass } from './apple-pass';
import { viewPass } from './view';

const shown = (list: { label: string; value: string }[]) =>
  list.map(({ label, value }) => `${label}=${value}`);

describe('a pass for Apple', () => {
  test('names its issue, so that its phone can come back', () => {
    expect(apple()).toMatchObject({
      formatVersion: 1,
      passTypeIdentifier: 'pass.com.example',
      teamIdentifier: 'ABCDE12345',
      serialNumber: PASS_ID,
      authenticationToken: 'a-token-of-a-pass',
      webServiceURL: 'https://example.com/apple',
      organizationName: 'Bean & Leaf',
      description: 'Loyalty card',
    });
  });

  test.each([
    ['LOYALTY', 'storeCard'],
    ['GIFT_CARD', 'storeCard'],
    ['EVENT_TICKET', 'eventTicket'],
    ['OFFER', 'coupon'],
    ['GENERIC', 'generic'],
  ] as const)('of type %s has the style %s', (pass_type, style) => {
    expect(apple({ pass_type })[style].headerFields).toHaveLength(1);
  });

  test('puts the first front field large, unless a cover image takes its place', () => {
    const plain = apple().storeCard;
    expect(shown(plain.primaryFields)).toEqual(['Member=Ada']);
    expect(shown(plain.secondaryFields)).toEqual(['City=Berlin']);
    const covered = apple({ cover_image: 'https://example.com/c.png' }).storeCard;
    expect(covered.primaryFields).toEqual([]);
    expect(shown(covered.secondaryFields)).toEqual(['Member=Ada', 'City=Berlin']);
    expect(shown(covered.auxiliaryFields)).toEqual(['Tier=Gold']);
  });

  test('has a key of its own for every field, even where lines share an id', () => {
    const { storeCard } = apple({ back_fields: fields.front_fields });
    const keys = Object.values(storeCard).flatMap((list) =>
      (list as { key: string }[]).map(({ key }) => key),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('shows a notification as a field whose change appears on the lock screen', () => {
    expect(apple().storeCard.backFields).not.toContainEqual(
      expect.objectContaining({ key: 'notification' }),
    );
    expect(apple({}, { notification: 'Two for one' }).storeCard.backFields[0]).toEqual({
      key: 'notification',
      label: 'Latest news',
      value: 'Two for one',
      changeMessage: '%@',
    });
  });

  test.each([
    ['qr', 'PKBarcodeFormatQR'],
    ['aztec', 'PKBarcodeFormatAztec'],
    ['code128', 'PKBarcodeFormatCode128'],
    ['pdf417', 'PKBarcodeFormatPDF417'],
  ] as const)('bears a %s barcode as %s', (barcode_type, format) => {
    expect(apple({ barcode_type, barcode_label: 'At the till' }).barcodes).toEqual([
      { format, message: 'BARCODE-1', messageEncoding: 'iso-8859-1', altText: 'At the till' },
    ]);
  });

  test('has no barcode, places or app where the template has none', () => {
    const pass = apple({ barcode_type: 'none' });
    for (const name of ['barcodes', 'locations', 'associatedStoreIdentifiers'])
      expect(pass).not.toHaveProperty(name);
  });

  test('names at most ten places, and its app', () => {
    const place = { latitude: 52.5, longitude: 13.4, name: 'Mitte' };
    const pass = apple({
      locations: Array.from({ length: 12 }, () => place),
      location_message: 'A coffee, {{first_name}}?',
      ios_deeplink_id: 12345,
      ios_deeplink_url: 'beans://card',
    });
    expect(pass.locations).toHaveLength(10);
    expect(pass.locations[0]).toEqual({
      latitude: 52.5,
      longitude: 13.4,
      relevantText: 'A coffee, Ada?',
    });
    expect(pass).toMatchObject({
      associatedStoreIdentifiers: [12345],
      appLaunchURL: 'beans://card',
    });
  });

  test('writes colours as Apple reads them', () => {
    expect(apple({ background_color: '#1F4D3A' }).backgroundColor).toBe('rgb(31, 77, 58)');
  });
});

describe('a pass for Google', () => {
  test('of type LOYALTY is a loyalty card with its points', () => {
    const pass = google();
    expect(pass.kind).toBe('loyalty');
    expect(pass.class).toMatchObject({
      id: '33.class',
      issuerName: 'Bean & Leaf',
      programName: 'Loyalty card',
      reviewStatus: 'UNDER_REVIEW',
      callbackOptions: { url: 'https://example.com/google/v1/callbacks' },
    });
    expect(pass.object).toMatchObject({
      id: '33.object',
      classId: '33.class',
      state: 'ACTIVE',
      accountName: 'Ada Lovelace',
      loyaltyPoints: { label: 'Beans', balance: { string: '12.5' } },
      barcode: { type: 'QR_CODE', value: 'BARCODE-1' },
    });
  });

  test('has a class made of the template alone, whatever is on the pass', () => {
    const template = sampleTemplate({ ...fields, background_color: '#00FF00' });
    const of = (pass_fields: JsonObject, facts = {}) =>
      google(
        { background_color: '#00FF00' },
        viewPass(template, { ...samplePass, pass_fields }, sampleFacts(facts)),
      ).class;
    const own = of({ background_color: '#FF0000', logo: 'https://example.com/ann.png' });
    expect(own).toEqual(of({}, { identity: { first_name: 'Bob' }, tier: null }));
    expect(own).toMatchObject({
      hexBackgroundColor: '#00FF00',
      programLogo: { sourceUri: { uri: 'https://example.com/logo.png' } },
    });
  });

  test.each(['LOYALTY', 'EVENT_TICKET', 'OFFER', 'GIFT_CARD', 'GENERIC'] as const)(
    'of type %s has its front fields on the front: each line that the class names is filled',
    (pass_type) => {
      const changes = { pass_type, tier_label: 'Tier' };
      const pass = google(changes);
      const { cardRowTemplateInfos: rows } = pass.class.classTemplateInfo.cardTemplateOverride;
      const paths = [...JSON.stringify(rows).matchAll(/textModulesData\['(\w+)'\]/g)].map(
        ([, id]) => id,
      );
      const filled = pass.object.textModulesData.map(({ id }: { id: string }) => id);
      expect(filled).toEqual(expect.arrayContaining(paths));
      expect(paths).toEqual(expect.arrayContaining(['front_1', 'tier', 'secondary_0']));
    },
  );

  test.each([
    [
      'EVENT_TICKET',
      'eventTicket',
      { eventName: expect.anything() },
      { ticketHolderName: 'Ada Lovelace' },
    ],
    [
      'OFFER',
      'offer',
      { title: 'Loyalty card', provider: 'Bean & Leaf', redemptionChannel: 'BOTH' },
      {},
    ],
    ['GIFT_CARD', 'giftCard', { merchantName: 'Bean & Leaf' }, { cardNumber: 'BARCODE-1' }],
  ] as const)("of type %s is Google's own %s", (pass_type, kind, ofClass, ofObject) => {
    const pass = google({ pass_type });
    expect(pass.kind).toBe(kind);
    expect(pass.class).toMatchObject({ id: `33.class-${kind}`, ...ofClass });
    expect(pass.object).toMatchObject({
      classId: `33.class-${kind}`,
      state: 'ACTIVE',
      ...ofObject,
    });
  });

  test('gives Google links to the app of https only', () => {
    const uris = (ios_deeplink_url: string) =>
      google({ ios_deeplink_url }).object.linksModuleData.uris.map(
        ({ uri }: { uri: string }) => uri,
      );
    expect(uris('https://app.example.com/open')).toContain('https://app.example.com/open');
    for (const url of ['acme://x', 'javascript:alert(1)', 'http://app.example.com'])
      expect(uris(url)).not.toContain(url);
  });

  test('of type GENERIC is a generic pass', () => {
    const pass = google({ pass_type: 'GENERIC', logo_text: 'Night' });
    expect(pass.kind).toBe('generic');
    expect(pass.object).toMatchObject({
      genericType: 'GENERIC_OTHER',
      cardTitle: { defaultValue: { value: 'Night' } },
      header: { defaultValue: { value: 'Ada' } },
      subheader: { defaultValue: { value: 'Member' } },
    });
  });

  test('shows links as links and everything else as text, under ids of their own', () => {
    const { object } = google({ back_fields: fields.front_fields });
    expect(object.linksModuleData.uris).toEqual([
      expect.objectContaining({ uri: 'https://example.com/portal/bean-leaf?token=t' }),
    ]);
    const ids = object.textModulesData.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['front_0', 'front_1', 'secondary_0', 'back_0', 'back_1']);
  });
});

test.each([
  ['de', 'Neuigkeiten'],
  ['fr', 'Actualités'],
  ['es', 'Novedades'],
  ['pl', 'Aktualności'],
  ['en', 'Latest news'],
] as const)(
  'what stands on every card is written in the language of the workspace: %s',
  (language, news) => {
    const template = sampleTemplate({ ...fields, show_referral_code_on_back: true });
    const pass = { ...samplePass, notification: 'Hello' };
    const drawn = viewPass(template, pass, sampleFacts({ language }));
    const { storeCard } = toApplePass(drawn, appleIssue) as AnyDocument;
    expect(storeCard.backFields[0].label).toBe(news);
    const labels = storeCard.backFields.map(({ label }: { label: string }) => label).join();
    expect(labels.includes('Your referral code')).toBe(language === 'en');
  },
);

test('a text that is pushed again is another value for the phone, and looks the same', () => {
  const value = (notification_repeat: number) => {
    const pass = { ...samplePass, notification: 'Two for one', notification_repeat };
    const drawn = viewPass(sampleTemplate(fields), pass, sampleFacts());
    return (toApplePass(drawn, appleIssue) as AnyDocument).storeCard.backFields[0].value;
  };
  expect(value(0)).toBe('Two for one');
  expect(new Set([value(0), value(1), value(2)]).size).toBe(3);
  expect(value(2).replaceAll('\u200b', '')).toBe('Two for one');
});
