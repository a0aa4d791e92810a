import fc from 'fast-check';
import { CODE_ALPHABET, makeCode, normaliseCode, shareUrl } from './code';

describe('a referral code', () => {
  test('has 8 characters, none of which is taken for another', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const code = makeCode((below) => (numbers.next().value as number) % below);
        expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
        expect(normaliseCode(code)).toBe(code);
      }),
    );
  });

  test('uses the whole alphabet and asks for no number beyond it', () => {
    const bounds = new Set<number>();
    const letters = Array.from({ length: CODE_ALPHABET.length }, (_, position) =>
      makeCode((below) => {
        bounds.add(below);
        return position;
      }),
    ).map((code) => code[0]);
    expect(letters.join('')).toBe(CODE_ALPHABET);
    expect([...bounds]).toEqual([31]);
  });

  test('is the same in any case and with blanks around it', () => {
    expect(normaliseCode('  k7qm2xpa\n')).toBe('K7QM2XPA');
  });

  test.each(['', '   ', 'K7QM2XP', 'K7QM2XPAA', 'K7QM2XP0', 'K7QM2XPI', 'x'.repeat(100_000)])(
    'is not what no client could have been given: %.20s',
    (text) => expect(normaliseCode(text)).toBeNull(),
  );

  test('goes into the link as ref, beside what the page has in its query', () => {
    expect(shareUrl('https://shop.example/d/1', 'K7QM2XPA')).toBe(
      'https://shop.example/d/1?ref=K7QM2XPA',
    );
    expect(shareUrl('https://shop.example/d/1?lang=de', 'K7QM2XPA')).toBe(
      'https://shop.example/d/1?lang=de&ref=K7QM2XPA',
    );
  });
});
