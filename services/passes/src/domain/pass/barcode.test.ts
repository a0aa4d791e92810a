import { canBear, encodingOf, filledPattern } from './barcode';
import type { PassFacts } from './placeholders';

const facts = (customFields: PassFacts['customFields']): PassFacts => ({
  passFields: {},
  identity: { first_name: 'Łucja', last_name: null },
  customFields,
  wallets: [],
  tier: null,
  referralCode: null,
});

test.each([
  ['MEM-{{member_no}}', 'MEM-7'],
  ['{{first_name}}-${custom_fields.member_no}', 'Łucja-7'],
  ['ABC', null],
  ['', null],
  [null, null],
  ['MEM-{{missing}}', null],
  ['{{member_no}}-{{last_name}}', null],
  ['{{blank}}', null],
])('the pattern %s comes to %s', (pattern, value) => {
  expect(filledPattern(pattern, facts({ member_no: 7, blank: '  ' }))).toBe(value);
});

test('Code 128 bears ASCII only, the other types any text of up to 255 characters', () => {
  expect(canBear('code128', 'MEM-7 ~')).toBe(true);
  expect(canBear('code128', 'Łucja')).toBe(false);
  for (const type of ['qr', 'aztec', 'pdf417', 'none'] as const) {
    expect(canBear(type, 'Łucja')).toBe(true);
    expect(canBear(type, 'x'.repeat(256))).toBe(false);
    expect(canBear(type, '')).toBe(false);
  }
});

test('a value outside Latin-1 is read as UTF-8', () => {
  expect(encodingOf('Jürgen-1')).toBe('iso-8859-1');
  expect(encodingOf('Łukasiewicz')).toBe('utf-8');
});

test('a barcode has room for 255 signs, and a scanner reads those of Latin 1 as such', () => {
  expect(canBear('qr', 'x'.repeat(255))).toBe(true);
  expect(canBear('qr', 'x'.repeat(256))).toBe(false);
  expect(['ÿ', 'Ā'].map(encodingOf)).toEqual(['iso-8859-1', 'utf-8']);
});
