import { toUnits, type Units, unitsOf, ZERO } from '@laurel/values/amount';
import fc from 'fast-check';
import { points } from '../testing/wallets';
import {
  aboveHole,
  applyLotChanges,
  compareLots,
  findLot,
  partsAboveHole,
  splitParts,
  sumOf,
  takeOldest,
} from './lots';
import type { Lot, LotRef, Part } from './types';

const ref = (id: string, madeAt = 0, sequence = 1): LotRef => ({
  id,
  madeAt,
  sequence,
  expiresAt: null,
});
const lot = (id: string, remaining: number, more: Partial<Lot> = {}): Lot => ({
  ...ref(id),
  remaining: points(remaining),
  maturesAt: null,
  ...more,
});
const part = (id: string, amount: number): Part => ({ lot: ref(id), amount: points(amount) });

const anyRef = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  madeAt: fc.nat(3),
  sequence: fc.nat(3),
  expiresAt: fc.constant(null),
});
const keyOf = ({ madeAt, sequence, id }: LotRef) => `${madeAt}.${sequence}.${id}`;
const anyUnits = fc.integer({ min: 1, max: 50 }).map(unitsOf);
/** Open lots as a wallet has them: oldest first, each there once, none empty. */
const anyLots = fc
  .uniqueArray(
    fc.tuple(anyRef, anyUnits, fc.boolean()).map(
      ([own, remaining, pending]): Lot => ({
        ...own,
        remaining,
        maturesAt: pending ? 99 : null,
      }),
    ),
    { selector: keyOf, maxLength: 12 },
  )
  .map((lots) => lots.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)));
const anyParts = fc.array(
  fc.tuple(anyRef, anyUnits).map(([own, amount]): Part => ({ lot: own, amount })),
  { maxLength: 8 },
);

describe('the order of lots', () => {
  test('goes by time, then by the entry that made them, then by name', () => {
    const inOrder = [ref('z', 1, 9), ref('y', 2, 1), ref('a', 2, 2), ref('b', 2, 2)];
    for (const [at, one] of inOrder.entries()) {
      expect(compareLots(one, { ...one })).toBe(0);
      for (const later of inOrder.slice(at + 1)) {
        expect(compareLots(one, later)).toBeLessThan(0);
        expect(compareLots(later, one)).toBeGreaterThan(0);
      }
    }
  });
});

describe('taking from lots', () => {
  test('empties the oldest active ones first, spares pending ones, and takes no more than is there', () => {
    fc.assert(
      fc.property(anyLots, fc.nat(400), (lots, wanted) => {
        const parts = takeOldest(lots, unitsOf(wanted));
        const active = lots.filter(({ maturesAt }) => maturesAt === null);
        const there = active.reduce((sum, { remaining }) => sum + remaining, 0);
        expect(sumOf(parts)).toBe(Math.min(wanted, there));
        for (const [at, { lot: taken, amount }] of parts.entries()) {
          const { remaining, maturesAt: _none, ...own } = active[at]!;
          expect(taken).toEqual(own);
          if (at < parts.length - 1) expect(amount).toBe(remaining);
          else expect(amount).toBeLessThanOrEqual(remaining);
        }
      }),
    );
  });

  test('names no lot that gives nothing', () => {
    expect(takeOldest([lot('a', 5), lot('b', 5)], points(5))).toEqual([part('a', 5)]);
    expect(takeOldest([lot('a', 5)], ZERO)).toEqual([]);
  });
});

describe('splitting parts', () => {
  test('keeps their order, their sum and every point', () => {
    fc.assert(
      fc.property(anyParts, fc.nat(400), (parts, amount) => {
        const { first, rest } = splitParts(parts, unitsOf(amount));
        const whole = sumOf(parts);
        expect(sumOf(first)).toBe(Math.min(amount, whole));
        expect(sumOf(first) + sumOf(rest)).toBe(whole);
        const lotsOf = (some: Part[]) => some.map((one) => one.lot);
        const cut = first.length + rest.length > parts.length ? 1 : 0;
        expect([...lotsOf(first), ...lotsOf(rest).slice(cut)]).toEqual(lotsOf(parts));
        for (const one of [...first, ...rest]) expect(one.amount).toBeGreaterThan(0);
      }),
    );
  });

  test('cuts the part in which the amount ends', () => {
    expect(splitParts([part('a', 5), part('b', 5), part('c', 5)], points(7))).toEqual({
      first: [part('a', 5), part('b', 2)],
      rest: [part('b', 3), part('c', 5)],
    });
  });
});

describe('a credit to a negative balance', () => {
  test.each([
    [10, 5, 5],
    [0, 5, 5],
    [-3, 5, 2],
    [-5, 5, 0],
    [-9, 5, 0],
  ])('at %d, of %d points %d are left above the hole', (active, credit, left) => {
    expect(aboveHole(toUnits(active), toUnits(credit))).toBe(toUnits(left));
  });

  test('loses its oldest parts to the hole', () => {
    const parts = [part('a', 5), part('b', 5)];
    expect(partsAboveHole(points(0), parts)).toEqual(parts);
    expect(partsAboveHole(points(-7), parts)).toEqual([part('b', 3)]);
    expect(partsAboveHole(points(-10), parts)).toEqual([]);
  });
});

describe('changing lots', () => {
  const anyChange = fc.record({
    lot: anyRef,
    by: fc.integer({ min: -50, max: 50 }).map(unitsOf),
    maturesAt: fc.constant(null),
  });

  test('adds up per lot, drops what is empty, and keeps them oldest first', () => {
    fc.assert(
      fc.property(anyLots, fc.array(anyChange, { maxLength: 6 }), (lots, changes) => {
        const expected = new Map(lots.map((one) => [keyOf(one), one.remaining as number]));
        for (const { lot: changed, by } of changes)
          expected.set(keyOf(changed), (expected.get(keyOf(changed)) ?? 0) + by);
        const after = applyLotChanges(lots, changes);
        const left = [...expected].filter(([, remaining]) => remaining !== 0).sort();
        expect(after.map((one) => [keyOf(one), one.remaining])).toEqual(left);
      }),
    );
  });

  test('leaves the lots before it alone', () => {
    const before = [lot('a', 5)];
    applyLotChanges(before, [{ lot: ref('a'), by: points(-5), maturesAt: null }]);
    expect(before).toEqual([lot('a', 5)]);
  });

  test('a lot stands at the maturity that the change tells', () => {
    const pending = [lot('a', 5, { maturesAt: 99 })];
    const matured = [{ lot: ref('a'), by: ZERO, maturesAt: null }];
    expect(applyLotChanges(pending, matured)).toEqual([lot('a', 5)]);
    const partly = [{ lot: ref('a'), by: points(-2), maturesAt: 99 }];
    expect(applyLotChanges(pending, partly)).toEqual([lot('a', 3, { maturesAt: 99 })]);
  });
});

test('a lot is found by its place, wherever it stands, and not when it is gone', () => {
  fc.assert(
    fc.property(anyLots, anyRef, (lots, wanted) => {
      const found: Lot | undefined = findLot(lots, wanted);
      expect(found).toEqual(lots.find((one) => keyOf(one) === keyOf(wanted)));
    }),
  );
});

test('the sum of no parts is zero', () => {
  expect(sumOf([])).toBe(0 as Units);
});
