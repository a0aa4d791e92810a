import fc from 'fast-check';
import { cutPage, decodeCursor, encodeCursor, isTime } from './cursor';

const isNumber = (value: unknown): value is number => typeof value === 'number';

test('pages that are cut show each row once, in order, and none is empty but the first of nothing', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.integer({ min: 1, max: 12 }), (count, limit) => {
      const all = Array.from({ length: count }, (_, index) => index);
      const seen: number[] = [];
      let pages = 0;
      for (let from = 0, more = true; more; pages += 1) {
        const { rows, nextCursor } = cutPage(
          all.slice(from, from + limit + 1),
          limit,
          (last) => last,
        );
        seen.push(...rows);
        more = nextCursor !== null;
        if (nextCursor !== null) from = decodeCursor(nextCursor, isNumber) + 1;
      }
      expect(seen).toEqual(all);
      expect(pages).toBe(Math.max(1, Math.ceil(count / limit)));
    }),
  );
});

test('a cursor with a text that no store takes is refused, whatever its list would take', () => {
  const isAny = (_: unknown): _ is string => true;
  for (const position of ['a\0', ['x', '\ud800'], { id: { _bsontype: 'x' } }])
    expect(() => decodeCursor(encodeCursor(position), isAny)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ field: 'cursor' })] }),
    );
  expect(decodeCursor(encodeCursor('a'), isAny)).toBe('a');
});

test('a time is one that a date can have', () => {
  for (const time of [0, -1, 8.64e15, -8.64e15]) expect(isTime(time)).toBe(true);
  for (const time of [8.64e15 + 1, 1e300, 0.5, '0', null, { at: 0 }, [0]])
    expect(isTime(time)).toBe(false);
});
