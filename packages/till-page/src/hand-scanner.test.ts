import { isScanned, isShortcut, NO_BURST, withKey } from './hand-scanner';

/** What is typed with so many milliseconds between two keys. */
const typed = (keys: string[], ms: number) =>
  keys.reduce((burst, key, at) => withKey(burst, { key, timeStamp: at * ms }), NO_BURST);

test('keys as quick as those of a scanner are one code, also with what ends it', () => {
  const burst = typed([...'4006381', 'Enter'], 5);
  expect(burst.typed).toBe('4006381');
  expect(isScanned(burst)).toBe(true);
});

test('what a person types is never a code, however long it becomes', () => {
  expect(isScanned(typed([...'4006381333931'], 90))).toBe(false);
});

test('a key that is held down to take digits back is no code', () => {
  expect(isScanned(typed(Array(20).fill('Backspace'), 30))).toBe(false);
});

test('a code begins anew where somebody typed before', () => {
  const before = typed(['1', '2'], 200);
  const [first, ...rest] = [...'98765'];
  let burst = withKey(before, { key: first!, timeStamp: 1_000 });
  for (const [at, key] of rest.entries())
    burst = withKey(burst, { key, timeStamp: 1_005 + at * 5 });
  expect(burst.typed).toBe('98765');
});

test.each([
  ['1', {}, false],
  ['Ctrl and 1', { ctrlKey: true }, true],
  ['Command and 1', { metaKey: true }, true],
  ['AltGr and Q, which is the @ of a code', { ctrlKey: true, isAltGraph: true }, false],
])('%s is known for what it is, for the browser or of a code', (_keys, pressed, expected) => {
  const { isAltGraph = false, ...held } = pressed as { isAltGraph?: boolean };
  const getModifierState = (key: string) => key === 'AltGraph' && isAltGraph;
  expect(isShortcut({ ctrlKey: false, metaKey: false, ...held, getModifierState })).toBe(expected);
});
