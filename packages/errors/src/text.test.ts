import fc from 'fast-check';
import {
  complaintAboutLine,
  complaintAboutText,
  complaintAboutTexts,
  FORBIDDEN_KEYS,
  mayHoldUnkeepable,
} from './text';

test('null characters and halves of pairs are refused in every text, whole pairs and lines are not', () => {
  for (const text of ['a\0', '\ud800', '\udc00\ud800', 'x\ud83d'])
    expect(complaintAboutText(text)).not.toBeNull();
  for (const text of ['', 'a\nb', '\u{1f600}', 'Ž']) expect(complaintAboutText(text)).toBeNull();
});

test('a line takes no control characters and no separators of lines', () => {
  for (const text of ['a\nb', 'a\r', '\t', '\u0085', '\u2028', '\u007f', '\0'])
    expect(complaintAboutLine(text)).not.toBeNull();
  for (const text of ['', 'José O’Neil-Šmíd', '名前', '👩‍👧'])
    expect(complaintAboutLine(text)).toBeNull();
});

test('a line takes nothing that turns the direction of what stands after it, but marks of direction', () => {
  for (const sign of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
    expect(complaintAboutLine(`Ann ${sign}eel`)).not.toBeNull();
  // No document quotes a text of several lines.
  expect(complaintAboutText('\u202e')).toBeNull();
  for (const text of ['\u200eAnn', '\u05d0\u05e0\u05d4\u200f', '\u200d'])
    expect(complaintAboutLine(text)).toBeNull();
});

test('what cannot be kept is found however deep it stands', () => {
  expect(complaintAboutTexts({ a: [{ b: 'x\0' }] })?.path).toBe('a.0.b');
  expect(complaintAboutTexts({ a: { 'k\0': 1 } })?.path).toBe('a.k\0');
  expect(complaintAboutTexts({ a: [1, null, true, 'x\n'] })).toBeNull();
});

test.each(FORBIDDEN_KEYS)('the key %s is found however deep it stands', (key) => {
  for (const value of [{}, 'x', 1, null]) {
    const inner = Object.fromEntries([[key, value]]);
    expect(complaintAboutTexts(inner)?.path).toBe(key);
    expect(complaintAboutTexts({ a: [{ b: inner }] })?.path).toBe(`a.0.b.${key}`);
  }
  expect(complaintAboutTexts({ a: key, [`${key}s`]: 1 })).toBeNull();
});

test('JSON that may hold nothing that cannot be kept holds no such thing, whatever it is', () => {
  const text = fc.oneof(
    fc.constantFrom(...FORBIDDEN_KEYS),
    fc.string({
      unit: fc.constantFrom('a', '\0', '\ud83d', '\ude00', '\udfff', '\\', 'u0000'),
    }),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, text, fc.integer(), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 3 }),
    object: fc.dictionary(text, tie('any'), { maxKeys: 3 }),
  })).any;
  fc.assert(
    fc.property(value, (each) => {
      const json = JSON.stringify(each);
      if (complaintAboutTexts(JSON.parse(json)) !== null)
        expect(mayHoldUnkeepable(json)).toBe(true);
    }),
  );
  expect(mayHoldUnkeepable('{"a":"\\u0000"}')).toBe(true);
  expect(mayHoldUnkeepable('{"\\u005fbsontype":1}')).toBe(true);
  expect(mayHoldUnkeepable('{"_bsontyp\\u0065":1}')).toBe(true);
  expect(mayHoldUnkeepable('{"a":"\\u00e9 and \u{1f600}"}')).toBe(false);
});
