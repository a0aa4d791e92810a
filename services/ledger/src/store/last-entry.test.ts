import fc from 'fast-check';
import { lastEntriesBy } from './last-entry';

interface Entry {
  wallet_id: string;
  sequence: number;
  created_at: Date;
}

/** Wallets by the moments of their entries, which only go on. */
const logs = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc
    .array(fc.nat(50), { maxLength: 40 })
    .map((moments) => moments.sort((one, other) => one - other)),
);

const readerOf = (log: Record<string, number[]>) => {
  const asked: number[] = [];
  const read = async (places: ReadonlyMap<string, number>): Promise<Entry[]> => {
    asked.push(places.size);
    return [...places].flatMap(([wallet_id, sequence]) => {
      const moment = log[wallet_id]?.[sequence - 1];
      return moment === undefined ? [] : [{ wallet_id, sequence, created_at: new Date(moment) }];
    });
  };
  return { read, asked };
};

test('the last entry by any time is found of every wallet, wherever the search begins', async () => {
  await fc.assert(
    fc.asyncProperty(logs, fc.nat(60), fc.array(fc.nat(45)), async (log, at, begins) => {
      const near = new Map(Object.keys(log).map((id, index) => [id, begins[index] ?? 0]));
      const last = await lastEntriesBy(readerOf(log).read, near, new Date(at));
      const expected = Object.entries(log).flatMap(([id, moments]) => {
        const sequence = moments.filter((moment) => moment <= at).length;
        return sequence === 0 ? [] : [[id, sequence]];
      });
      expect([...last].map(([id, { sequence }]) => [id, sequence])).toEqual(expected);
    }),
  );
});

test('wallets that moved on a little since are asked about together, a few times in all', async () => {
  const moments = Array.from({ length: 100_000 }, (_, index) => index);
  const log = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`w${index}`, moments]));
  const { read, asked } = readerOf(log);
  const near = new Map(Object.keys(log).map((id) => [id, 100_000]));
  await lastEntriesBy(read, near, new Date(99_996));
  expect(asked.length).toBeLessThanOrEqual(5);
});
