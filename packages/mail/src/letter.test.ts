import type { Letter } from '@laurel/contract';
import { writeLetter } from './letter';

const url = 'https://l.example/reset-password?token=t&x=1';
const brand = { name: 'Bohne & Blatt', colour: '#FFD500', logoUrl: null };
const letter: Letter = {
  language: 'de',
  subject: 'Hallo',
  parts: [
    { text: 'Ihr Code lautet 123456.', code: '123456' },
    { words: 'Neues Passwort', url, button: 'Passwort wählen', isMain: true },
    { list: ['Ann', 'Bo'] },
  ],
  brand,
};

test('a letter says the same to programs that draw and to those that do not', () => {
  const { text, html, fromName } = writeLetter(letter);
  expect(text).toBe(`Ihr Code lautet 123456.\n\nNeues Passwort:\n${url}\n\n- Ann\n- Bo\n`);
  for (const part of ['123456', 'Passwort wählen', 'token=t&amp;x=1', '<li>Ann</li>', 'lang="de"'])
    expect(html).toContain(part);
  expect(fromName).toBe('Bohne & Blatt');
});

test('a colon stands as its language has it', () => {
  const { text, html } = writeLetter({ ...letter, language: 'fr' });
  for (const written of [text, html]) expect(written).toContain('Neues Passwort\u00a0:');
});

test('a button is read on any colour of a shop', () => {
  const withColour = (colour: string) =>
    writeLetter({ ...letter, brand: { ...brand, colour } }).html;
  expect(withColour('#FFD500')).toContain('background:#FFD500;color:#000000');
  expect(withColour('#3B2A20')).toContain('background:#3B2A20;color:#ffffff');
});

test('nothing that somebody typed becomes a part of the page', () => {
  const bad = '"><script>alert(1)</script>';
  const { html } = writeLetter({
    ...letter,
    subject: bad,
    parts: [
      { text: bad, code: bad },
      { words: bad, url: `https://l.example/${bad}` },
      { list: [bad] },
    ],
    brand: { name: bad, colour: 'red;}</style>', logoUrl: 'javascript:alert(1)' },
  });
  expect(html).not.toMatch(/<script|javascript:|red;/);
});
