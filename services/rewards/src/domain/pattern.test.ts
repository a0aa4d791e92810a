import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { ALPHABET, codeKey, drawCode, patternProblem } from './pattern';

test.each(['COFFEE-{RAND:6}', '{RAND:4}', '{RAND:2}-{RAND:4}', 'A{RAND:64}', 'ä {RAND:5}'])(
  '%s is a pattern',
  (pattern) => expect(patternProblem(pattern)).toBeNull(),
);

test.each([
  '',
  'COFFEE',
  '{RAND:3}',
  '{RAND:}',
  '{rand:6}',
  '{RAND:-4}',
  '{RAND:6',
  '{RAND:65}',
  '{RAND:0}{RAND:4}',
  '{RAND:64}{RAND:64}x',
])('%j is no pattern', (pattern) => expect(patternProblem(pattern)).toMatch(/^must /));

test('a refused pattern names the bound that it breaks', () => {
  expect(patternProblem('{RAND:3}')).toBe(
    'must contain at least one {RAND:N} token with N of at least 4',
  );
  const perToken = 'must ask for 1 to 64 characters per {RAND:N} token';
  expect(patternProblem('{RAND:65}')).toBe(perToken);
  expect(patternProblem('{RAND:0}{RAND:4}')).toBe(perToken);
  expect(patternProblem('{RAND:64}{RAND:64}x')).toBe('must give codes of at most 128 characters');
});

test('a token may ask for a single character beside one that asks for enough', () => {
  expect(patternProblem('{RAND:1}-{RAND:4}')).toBeNull();
});

test('codes may have 128 characters, fixed and random ones together, and not one more', () => {
  const fixed = 'x'.repeat(128 - 6);
  expect(patternProblem(`${fixed}{RAND:6}`)).toBeNull();
  expect(patternProblem(`${fixed}y{RAND:6}`)).toMatch('at most 128');
  expect(patternProblem('{RAND:64}{RAND:64}')).toBeNull();
});

test('a code is its pattern with every token replaced by as many characters of the alphabet', () => {
  const lengths = fc.array(fc.integer({ min: 4, max: 12 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(lengths, (tokens) => {
      const pattern = tokens.map((length) => `x{RAND:${length}}`).join('-');
      const shape = tokens.map((length) => `x[${ALPHABET}]{${length}}`).join('-');
      expect(drawCode(pattern, (bound) => randomInt(bound))).toMatch(new RegExp(`^${shape}$`));
    }),
  );
});

test('every character of the alphabet can come up, and each is drawn on its own', () => {
  let next = 0;
  const inTurn = (bound: number): number => next++ % bound;
  expect(drawCode('{RAND:31}', inTurn)).toBe(ALPHABET);
  expect(ALPHABET).toBe('ABCDEFGHJKMNPQRSTUVWXYZ23456789');
});

test('codes are compared whatever their case and the space around them', () => {
  expect(codeKey(' ab-2c ')).toBe('AB-2C');
  expect(codeKey('AB-2C')).toBe('AB-2C');
});
