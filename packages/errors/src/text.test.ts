import { complaintAboutLine, complaintAboutText, complaintAboutTexts } from './text';

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
  // Texts of several lines are quoted by nobody.
  expect(complaintAboutText('\u202e')).toBeNull();
  for (const text of ['\u200eAnn', '\u05d0\u05e0\u05d4\u200f', '\u200d'])
    expect(complaintAboutLine(text)).toBeNull();
});

test('what cannot be kept is found however deep it stands', () => {
  expect(complaintAboutTexts({ a: [{ b: 'x\0' }] })?.path).toBe('a.0.b');
  expect(complaintAboutTexts({ a: { 'k\0': 1 } })?.path).toBe('a.k\0');
  expect(complaintAboutTexts({ a: { evil: 1 } }, new Set(['evil']))?.path).toBe('a.evil');
  expect(complaintAboutTexts({ a: [1, null, true, 'x\n'] })).toBeNull();
});
