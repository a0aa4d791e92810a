import { AmountRangeError, add, unitsOf, ZERO } from '@laurel/values/amount';
import fc from 'fast-check';
import { OpenPoints } from './open-points';
import type { Hold, LotChange, Wallet } from './types';
import { applyEffect, EMPTY_WALLET } from './wallet';

const MOST = 1_000_000_000_000_000;
const amount = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -5, max: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom(MOST, -MOST, MOST - 3) },
);
const lotChange: fc.Arbitrary<LotChange> = fc.record({
  lot: fc.record({
    id: fc.constantFrom('a', 'b'),
    madeAt: fc.constantFrom(1, 2),
    sequence: fc.constantFrom(1, 12),
    expiresAt: fc.constantFrom(null, 9),
  }),
  by: amount.map(unitsOf),
  maturesAt: fc.constantFrom(null, 5),
});
const hold: fc.Arbitrary<Hold> = fc.record({
  id: fc.constantFrom('h', 'i'),
  amount: amount.map(unitsOf),
  expiresAt: fc.constant(9),
  parts: fc.constant([]),
  outcome: fc.constant('expired' as const),
});
const effects = fc.array(
  fc.record({
    lots: fc.array(lotChange, { maxLength: 4 }),
    holds: fc.array(hold, { maxLength: 3 }),
  }),
  { maxLength: 25 },
);

/** What is open in a wallet, added up whole. */
function addedUp({ lots, holds }: Wallet) {
  const of = (isActive: boolean) =>
    lots.flatMap((lot) => ((lot.maturesAt === null) === isActive ? [lot.remaining] : []));
  const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);
  return {
    active: sum(of(true)),
    pending: sum(of(false)),
    held: sum(holds.map((each) => each.amount)),
  };
}

test('sums that change with the entries are those of the wallet that the entries make, and an entry that cannot be leaves both as they were', () => {
  fc.assert(
    fc.property(effects, (entries) => {
      const open = new OpenPoints();
      let wallet = EMPTY_WALLET;
      for (const entry of entries) {
        let after: Wallet | null = null;
        try {
          after = applyEffect(wallet, { ...entry, change: {}, closing: null }, 0);
        } catch (error) {
          expect(error).toBeInstanceOf(AmountRangeError);
        }
        if (after === null) {
          expect(() => open.after(entry)).toThrow(AmountRangeError);
          continue;
        }
        const opened = open.after(entry);
        expect(opened.sums).toEqual(addedUp(after));
        // An entry that the checker refuses for its sums is not kept either.
        if (Object.values(opened.sums).some((each) => Math.abs(each) > MOST)) continue;
        open.keep(opened);
        wallet = after;
      }
    }),
    { numRuns: 2_000 },
  );
});

test('lots of one entry differ by when and by what they were made', () => {
  const open = new OpenPoints();
  const lotOf = (id: string, madeAt: number) => ({ id, madeAt, sequence: 1, expiresAt: null });
  const by = unitsOf(5);
  const put = (lot: ReturnType<typeof lotOf>) =>
    open.keep(open.after({ lots: [{ lot, by, maturesAt: null }], holds: [] }));
  for (const lot of [lotOf('a', 1), lotOf('a', 2), lotOf('b', 1), lotOf('a', 1)]) put(lot);
  const gone = { lot: lotOf('a', 1), by: unitsOf(-10), maturesAt: null };
  expect(open.after({ lots: [gone], holds: [] }).sums.active).toBe(add(by, by, ZERO));
});
