import { isLater, type Position, takenOver } from './position';

const position = (revision: number | null, second: number): Position => ({
  revision,
  at: new Date(second * 1_000),
});

test.each([
  [
    'the later of two writes is later, by whichever clock it was said',
    position(6, 1),
    position(5, 9),
    true,
  ],
  ['the earlier of two writes is not, by whichever clock', position(5, 9), position(6, 1), false],
  ['what was said of the same write is not later', position(5, 9), position(5, 1), false],
  ['without a count on one side the clocks decide', position(null, 9), position(6, 1), true],
  ['nor is it later without a count by an earlier clock', position(6, 1), position(null, 9), false],
  [
    'what was said at the same moment without a count is not later',
    position(null, 1),
    position(null, 1),
    false,
  ],
  ['anything is later than nothing', position(null, 1), null, true],
])('%s', (_, one, other, expected) => {
  expect(isLater(one, other)).toBe(expected);
});

test('after something without a count what the count says to be old stays old', () => {
  const known = takenOver(position(null, 9), position(5, 1));
  expect(isLater(position(4, 20), known)).toBe(false);
  expect(isLater(position(6, 2), known)).toBe(true);
});

test('moments as text are compared as such', () => {
  const at = (text: string) => ({ revision: null, at: text });
  expect(isLater(at('2026-01-01T00:00:00.002Z'), at('2026-01-01T00:00:00.001Z'))).toBe(true);
});
