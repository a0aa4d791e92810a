import { parseJson } from './json';
import { complaintAboutLevels } from './levels';

const nested = (levels: number, inmost = '1') =>
  `{"a":${'['.repeat(levels)}${inmost}${']'.repeat(levels)}}`;
const complaint = (json: string) => complaintAboutLevels(JSON.parse(json));

test('as many levels as a body of the API has are kept, and no more', () => {
  for (const levels of [0, 1, 20]) expect(complaint(nested(levels))).toBeNull();
  for (const levels of [21, 200_000])
    expect(complaint(nested(levels))).toBe('is nested deeper than 20 levels');
});

test('what is deeper than any stack is read all the same, and then refused for it', () => {
  const large = nested(200_000, '12345678901234567890');
  expect(complaintAboutLevels(parseJson(large) as never)).toBe('is nested deeper than 20 levels');
  expect(parseJson(nested(100, '12345678901234567890'))).toEqual(
    JSON.parse(nested(100, '"12345678901234567890"')),
  );
});
