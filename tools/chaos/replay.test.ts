import { LEDGER_ENTRY_TYPES } from '@laurel/contract';
import { createRandom } from '../lib/random.mjs';
import { differences, doubledAndShuffled, isDisturbed, replaySome } from './replay.mjs';
import type { Tap } from './tap.mjs';

const random = () => createRandom(7, 'replay');
const numbers = Array.from({ length: 20 }, (_, number) => number);

test('what is replayed comes twice each and in another order', () => {
  const sent = doubledAndShuffled(random(), numbers);
  expect(sent.toSorted((a, b) => a - b)).toEqual(numbers.flatMap((number) => [number, number]));
  expect(sent).not.toEqual([...numbers, ...numbers]);
});

test('a replay of nothing, or to a broker that does not take it, has met nothing', async () => {
  const tap = (kept: number[], taken: boolean) =>
    ({ kept: () => kept, repeat: async () => taken }) as unknown as Tap;
  expect(await replaySome(tap([], true), random(), 10)).toBe(false);
  expect(await replaySome(tap(numbers, false), random(), 10)).toBe(false);
  expect(await replaySome(tap(numbers, true), random(), 10)).toBe(true);
});

test('rows that came, went or are otherwise are named, and neither equal ones nor notes of what was handled', () => {
  const rows = (...sums: [id: string, sum: number][]) => sums.map(([_id, sum]) => ({ _id, sum }));
  const before = { wallets: rows(['a', 1], ['b', 1], ['d', 1]), inbox: [] };
  const after = {
    wallets: rows(['d', 1], ['a', 2], ['c', 1]),
    inbox: [{ service: 'integrations', key: 'integrations.webhook-fanout:1' }],
  };
  expect(differences(before, after).map((one) => one.slice(0, 10))).toEqual([
    'wallets a:',
    'wallets b:',
    'wallets c:',
  ]);
});

test('looks between which points or holds ended, or pending points matured, are not compared; what an event does is', () => {
  const entries = (...types: string[]) => types.map((type, at) => ({ _id: String(at), type }));
  const disturbing = LEDGER_ENTRY_TYPES.filter((type) =>
    isDisturbed({ entries: entries('earn') } as never, { entries: entries('earn', type) } as never),
  );
  expect(disturbing).toEqual(['expire', 'unlock']);
  const same = { entries: entries('unlock', 'earn') } as never;
  expect(isDisturbed(same, same)).toBe(false);
});
