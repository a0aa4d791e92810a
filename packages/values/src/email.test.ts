import fc from 'fast-check';
import { emailKey, isEmail } from './email';

/** A letter, or one with a mark: as one character where there is one for both, or as two. */
const letter = fc.oneof(
  fc.constantFrom('a', 'e', 'j', 'z', 'ß', 'ø', 'ı', 'İ', 'ǰ', 'é', 'Å', '.', '+', '1'),
  fc.tuple(fc.constantFrom('a', 'e', 'i', 'J', 'O'), fc.constantFrom('\u0301', '\u0308', '\u030c')),
);
const address = fc
  .array(letter, { minLength: 1 })
  .map((letters) => `${letters.flat().join('')}@mail.example`);

test('the key of an address is its own key, and that of every way to write it', () => {
  fc.assert(
    fc.property(address, (email) => {
      const key = emailKey(email);
      for (const same of [key, ` ${email}\n`, email.normalize('NFC'), email.normalize('NFD')])
        expect(emailKey(same)).toBe(key);
    }),
  );
});

test.each([
  ['ANN@Mail.Example', 'ann@mail.example'],
  ['\u01f0an@mail.example', 'J\u030can@mail.example'],
  ['CAF\u00c9@mail.example', 'cafe\u0301@mail.example'],
])('%j and %j are one address', (one, other) => {
  expect(emailKey(one)).toBe(emailKey(other));
});

test('an accent tells two addresses apart', () => {
  expect(emailKey('cafe@mail.example')).not.toBe(emailKey('caf\u00e9@mail.example'));
});

test('an e-mail address has a name before its @ and a host behind it, each whole between its dots', () => {
  for (const text of ['a@b.cd', "o'neil+x@mail.example.com", 'zoë@müller.example', '名@例え.jp'])
    expect([text, isEmail(text)]).toEqual([text, true]);
  const long = `${'x'.repeat(65)}@example.com`;
  for (const text of ['a@b..c', 'a..b@c.de', '.a@b.cd', 'a@b', 'a@-b.cd', 'a@b.1', '@b.cd', long])
    expect([text, isEmail(text)]).toEqual([text, false]);
  for (const text of [
    '',
    'a@',
    'a b@c.de',
    'a@b@c.de',
    'a@b.c%64',
    'a@b.cd/e',
    'a@b_c.de',
    'a@b.c d',
  ])
    expect([text, isEmail(text)]).toEqual([text, false]);
});
