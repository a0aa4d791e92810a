import fc from 'fast-check';
import { cutPage, decodeCursor } from './cursor';

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
