import { LANGUAGES, SHOP_MAIL_KINDS } from '@laurel/contract';
import { writeLetter } from './letter';
import { complaintAboutMailText, defaultMailText, placeholdersOf } from './mail-text';
import {
  confirmationLetter,
  greetingName,
  invitationLetter,
  passLetter,
  portalCodeLetter,
  type ShopWriter,
  sampleLetter,
} from './shop-letters';
import { shopWords } from './shop-words';

const links = { apple_pass_url: 'https://l.example/apple', google_pass_url: 'https://l.example/g' };
const news = { name: 'Ann', links, portalUrl: null };
const brand = { name: 'Coffee', colour: '#7A4B2A', logoUrl: null };
const writer = (more: Partial<ShopWriter> = {}): ShopWriter => ({
  language: 'en',
  brand,
  own: null,
  ...more,
});

test.each([
  ['Ann', 'Ann'],
  [' Jean-Luc ', 'Jean-Luc'],
  ['J. R. O’Neil', 'J. R. O’Neil'],
  ['Łukasz 🙂', 'Łukasz 🙂'],
  ['x'.repeat(60), `${'x'.repeat(40)}…`],
  [`x${'🙂'.repeat(60)}`, `x${'🙂'.repeat(39)}…`],
  ['Urgent! http://phish.example/login', null],
  ['go to phish.example', null],
  ['www.phish', null],
  ['a\r\nb', null],
  ['a\u2028b', null],
  ['me@phish', null],
  ['', null],
  [null, null],
])(
  'a mail greets %j as %j: no stranger writes a mail of theirs through a form',
  (name, greeted) => {
    expect(greetingName(name)).toBe(greeted);
  },
);

test.each(LANGUAGES)('a mail in %s has its links and nothing that a stranger wrote', (language) => {
  const name = 'Log in at https://phish.example now';
  const confirmUrl = 'https://l.example/confirm?token=t';
  const request = { ...news, name, confirmUrl, consentText: 'News?' };
  const asked = writeLetter(confirmationLetter(writer({ language }), request));
  for (const part of [confirmUrl, 'News?', links.apple_pass_url, 'Coffee'])
    expect(asked.text).toContain(part);
  const without = writeLetter(
    confirmationLetter(writer({ language }), { ...request, links: null, consentText: null }),
  );
  expect(without.text).not.toContain(links.apple_pass_url);
  expect(without.text).not.toContain('News?');
  const pass = writeLetter(passLetter(writer({ language }), { ...news, name }));
  for (const { text } of [asked, without, pass]) expect(text).not.toContain('phish');
});

test.each([
  ['en', '“News?”'],
  ['de', '„News?“'],
  ['fr', '«\u202fNews?\u202f»'],
  ['es', '«News?»'],
  ['pl', '„News?”'],
] as const)('a mail in %s quotes what is agreed to as people write there', (language, quoted) => {
  const confirmUrl = 'https://l.example/confirm?token=t';
  const request = { ...news, name: 'Ann', confirmUrl, consentText: 'News?' };
  expect(writeLetter(confirmationLetter(writer({ language }), request)).text).toContain(quoted);
});

test('no line of a mail in French begins with the mark of the line before', () => {
  expect(JSON.stringify(shopWords.fr)).not.toMatch(/ [:;!?»]|« /);
});

test('a mail names only the wallets that take the pass', () => {
  const some = { apple_pass_url: 'https://l.example/apple', google_pass_url: null };
  const { text } = writeLetter(passLetter(writer(), { ...news, links: some }));
  expect(text).toContain('https://l.example/apple');
  expect(text).not.toMatch(/Google|null/);
});

test.each(LANGUAGES)(
  'a mail in %s whose pass no wallet takes says how to use it, and leads into nothing',
  (language) => {
    const portalUrl = 'https://l.example/portal';
    const none = { ...news, links: { apple_pass_url: null, google_pass_url: null } };
    const { passWithoutWallet, noWallet, passBefore, portal } = shopWords[language];
    const { text } = writeLetter(passLetter(writer({ language }), none));
    expect(text).toContain(noWallet);
    expect(text.split('\n\n')[1]).not.toMatch(/:$/);
    expect(defaultMailText('pass', language).text).toContain(passWithoutWallet.slice(0, -1));
    const own = { subject: 'Hi', text: 'Put it into your wallet', button: null };
    expect(writeLetter(passLetter(writer({ language, own }), none)).text).toContain(noWallet);
    const { parts } = passLetter(writer({ language }), { ...none, portalUrl });
    expect(parts).toContainEqual({ words: portal, url: portalUrl, isMain: true });
    const request = { ...none, confirmUrl: 'https://l.example/c', consentText: null };
    const asked = writeLetter(confirmationLetter(writer({ language }), request));
    expect(asked.text).not.toContain(passBefore);
  },
);

const everyMail = LANGUAGES.flatMap((language) =>
  SHOP_MAIL_KINDS.map((kind) => [kind, language] as const),
);

test.each(everyMail)(
  'the words of the platform for %s in %s are ones that a shop might write itself',
  (kind, language) => {
    expect(complaintAboutMailText(kind, defaultMailText(kind, language))).toBeNull();
    const { subject, text, html } = writeLetter(
      sampleLetter(writer({ language }), kind, 'https://l.example'),
    );
    expect(`${subject}${text}${html}`).not.toMatch(/\{\{|\}\}|undefined|null/);
  },
);

test('words of a shop take the place of the platform’s, and nothing in them becomes markup', () => {
  const own = {
    subject: '{{code}} – {{shop}}',
    text: 'Hi <b>you</b> & co.\r\n\r\nHere: {{ code }}',
    button: null,
  };
  const { subject, text, html } = writeLetter(portalCodeLetter(writer({ own }), '314159'));
  expect(subject).toBe('314159 – Coffee');
  expect(text).toContain('Hi <b>you</b> & co.\n\nHere: 314159\n');
  expect(html).toContain('Hi &lt;b&gt;you&lt;/b&gt; &amp; co.');
  expect(html.match(/class="code"/g)).toHaveLength(1);
});

test('a code that stands by itself is shown once, large', () => {
  const own = { subject: 'Hi', text: 'Moin!\n\n{{code}}', button: null };
  const { text, html } = writeLetter(portalCodeLetter(writer({ own }), '314159'));
  expect(text.match(/314159/g)).toHaveLength(1);
  expect(html.match(/314159/g)).toHaveLength(1);
});

test('what stands in a value is no placeholder, however it reads', () => {
  const own = { subject: '{{shop}}', text: '{{inviter}}', button: 'Join' };
  const tricky = { ...brand, name: '{{inviter}}' };
  const about = { inviterName: '{{shop}}', url: 'https://l.example/i' };
  const { subject, parts } = invitationLetter(writer({ own, brand: tricky }), about);
  expect([subject, parts[0]]).toEqual(['{{inviter}}', { text: '{{shop}}' }]);
});

test('every mail says why it came, whatever the shop writes, and leads to who sent it', () => {
  const shop = { ...brand, privacyUrl: 'https://c.example/p', imprintUrl: 'javascript:alert(1)' };
  const own = { subject: 'Hi', text: 'Hi', button: null };
  const { text, html } = writeLetter(passLetter(writer({ own, brand: shop }), news));
  expect(text).toContain('This address was given for a card of Coffee.');
  expect(text).toContain('Privacy: https://c.example/p');
  expect(html).toContain('href="https://c.example/p"');
  expect(`${text}${html}`).not.toContain('javascript:');
});

describe('words of a shop', () => {
  const complaint = (kind: (typeof SHOP_MAIL_KINDS)[number], changes: object) =>
    complaintAboutMailText(kind, { ...defaultMailText(kind, 'en'), ...changes });

  test('may name what the mail knows, and hear what that is where they name something else', () => {
    expect(complaint('invitation', { subject: '{{ inviter }} at {{shop}}' })).toBeNull();
    expect(complaint('invitation', { text: 'Hello {{first_nam}}' })).toEqual({
      field: 'text',
      complaint:
        'text names {{first_nam}}, which this mail does not know; it knows {{shop}}, {{inviter}}',
    });
    for (const subject of ['{{shop', 'shop}}', '${wallet:beans.points}'])
      expect(complaint('pass', { subject })?.field).toBe('subject');
  });

  test('lead nowhere: the mail has its buttons', () => {
    for (const text of ['see https://x.example', 'www.x', 'evil.example', 'me@x'])
      expect(complaint('pass', { text })?.complaint).toMatch(/must not name an address/);
    expect(complaint('pass', { text: 'Open 8.30 to 17.00, e.g. Mon. See you!' })).toBeNull();
  });

  test.each(['phish\u2024example', 'phish．example', 'phish。example', 'phish\u200b.example'])(
    'lead nowhere, however an address is written: %s',
    (text) => {
      expect(complaint('pass', { text })?.complaint).toMatch(/must not name an address/);
    },
  );

  test('lead to no number of a network either; a date, a price and a version are none', () => {
    for (const text of ['1.2.3.4/login', 'see 192.168.0.10', '１.２.３.４'])
      expect(complaint('pass', { text })?.complaint).toMatch(/must not name an address/);
    const text = 'From 24.12.2026 for 1.299,00, version 1.2.3. 你好。欢迎光临。';
    expect(complaint('pass', { text })).toBeNull();
  });

  test.each(['\u202e', '\u2066', '\u200f'])(
    'read in the direction they are written: %j',
    (turn) => {
      for (const field of ['subject', 'text'] as const)
        expect(complaint('pass', { [field]: `Hi ${turn}elpmaxe` })).toEqual({
          field,
          complaint: `${field} must not have characters that turn its direction`,
        });
    },
  );

  test('keep what a mail is no use without', () => {
    expect(complaint('portal_code', { text: 'Hello' })?.complaint).toMatch(/\{\{code\}\}/);
    expect(complaint('invitation', { button: ' ' })?.field).toBe('button');
    expect(complaint('pass', { button: 'Go' })?.field).toBe('button');
    expect(placeholdersOf('portal_code').map(({ name }) => name)).toEqual(['shop', 'code']);
  });
});
