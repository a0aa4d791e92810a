import { writeLetter } from '@laurel/mail';
import { confirmationMail, greetingName, passMail } from './pass-mail';
import { LANGUAGES } from './wordings';

const links = { apple_pass_url: 'https://l.example/apple', google_pass_url: 'https://l.example/g' };
const news = {
  name: 'Ann',
  brand: { name: 'Coffee', colour: '#7A4B2A', logoUrl: null },
  links,
  portal_url: null,
};

test.each([
  ['Ann', 'Ann'],
  [' Jean-Luc ', 'Jean-Luc'],
  ['J. R. O’Neil', 'J. R. O’Neil'],
  ['Łukasz 🙂', 'Łukasz 🙂'],
  ['x'.repeat(60), `${'x'.repeat(40)}…`],
  ['Urgent! http://phish.example/login', null],
  ['go to phish.example', null],
  ['www.phish', null],
  ['a\r\nb', null],
  ['a\u2028b', null],
  ['me@phish', null],
  ['', null],
  [null, null],
])('a mail greets %j as %j: nobody writes a mail of theirs through a form', (name, greeted) => {
  expect(greetingName(name)).toBe(greeted);
});

test.each(LANGUAGES)('a mail in %s has its links and nothing that a stranger wrote', (language) => {
  const name = 'Log in at https://phish.example now';
  const confirm_url = 'https://l.example/confirm?token=t';
  const request = { ...news, name, confirm_url, consentText: 'News?' };
  const asked = writeLetter(confirmationMail(language, request));
  for (const part of [confirm_url, 'News?', links.apple_pass_url, 'Coffee'])
    expect(asked.text).toContain(part);
  const without = writeLetter(
    confirmationMail(language, { ...request, links: null, consentText: null }),
  );
  expect(without.text).not.toContain(links.apple_pass_url);
  expect(without.text).not.toContain('News?');
  for (const { text } of [asked, without, writeLetter(passMail(language, { ...news, name }))])
    expect(text).not.toContain('phish');
});

test('a mail names only the wallets that take the pass', () => {
  const links = { apple_pass_url: 'https://l.example/apple', google_pass_url: null };
  const { text } = writeLetter(passMail('en', { ...news, links }));
  expect(text).toContain('https://l.example/apple');
  expect(text).not.toMatch(/Google|null/);
});
