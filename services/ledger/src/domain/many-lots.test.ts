import { type Units, unitsOf } from '@laurel/values/amount';
import { refusals } from '../refusals';
import { entryId, NOTE, RULES, T0 } from '../testing/wallets';
import { close } from './close';
import { lock } from './hold';
import { LOTS_AT_ONCE } from './lots';
import { merge } from './merge';
import { takeBack } from './refund-purchase';
import { assertSound } from './soundness';
import { spend } from './spend';
import { transferOut } from './transfer';
import type { Draft, Hold, Lot, LotRef, Wallet } from './types';
import { applyEffect, EMPTY_WALLET } from './wallet';

const COUNT = 2 * LOTS_AT_ONCE + 5;
const NAMES = { sourceClientId: 's', targetClientId: 't', successor: 'successor' };

const refOf = (number: number): LotRef => ({
  id: entryId(number),
  madeAt: T0,
  sequence: number,
  expiresAt: null,
});

function lotsFrom(first: number, maturesAt: number | null): Lot[] {
  const remaining = unitsOf(10);
  return Array.from({ length: COUNT }, (_, index) => ({
    ...refOf(first + index),
    remaining,
    maturesAt,
  }));
}

/** Points on hold that are of very many lots, in three holds. */
function manyHolds(): Hold[] {
  const parts = Array.from({ length: LOTS_AT_ONCE }, (_, index) => ({
    lot: refOf(index),
    amount: unitsOf(1),
  }));
  return Array.from({ length: 3 }, (_, index) => ({
    id: entryId(900_000 + index),
    amount: unitsOf(parts.length),
    expiresAt: T0,
    parts,
    outcome: 'expired' as const,
  }));
}

/** A wallet with very many points of each kind. */
function crowdedWallet(): Wallet {
  const holds = manyHolds();
  const [active, pending] = [unitsOf(10 * COUNT), unitsOf(10 * COUNT)];
  const locked = unitsOf(3 * LOTS_AT_ONCE);
  const earned = unitsOf(active + pending + locked + 7);
  const figures = { ...EMPTY_WALLET.figures, active, pending, locked, earned, spent: unitsOf(7) };
  const lots = [...lotsFrom(1, null), ...lotsFrom(COUNT + 1, T0)];
  return { ...EMPTY_WALLET, sequence: 500_000, figures, lots, holds };
}

/** How many lots an entry names, in whatever role. */
function lotsNamed({ lots, consumed, holds }: Draft): number {
  const held = holds.map(({ parts }) => parts.length);
  return Math.max(
    lots.length,
    consumed.length,
    held.reduce((sum, count) => sum + count, 0),
  );
}

const next = (wallet: Wallet, draft: Draft): Wallet => {
  const after = applyEffect(wallet, draft, T0);
  assertSound(wallet, draft, after);
  return after;
};

test('a wallet of very many lots is closed by entries that a store can hold, the last of which closes it', () => {
  const active = unitsOf(10 * COUNT);
  const figures = { ...EMPTY_WALLET.figures, active, earned: active };
  let wallet: Wallet = { ...EMPTY_WALLET, sequence: COUNT, figures, lots: lotsFrom(1, null) };
  const drafts: Draft[] = [];
  for (let step = close(wallet, 'client_deleted'); step; step = close(wallet, 'client_deleted')) {
    drafts.push(step);
    wallet = next(wallet, step);
  }
  expect(drafts.map(lotsNamed)).toEqual([LOTS_AT_ONCE, LOTS_AT_ONCE, 5]);
  expect(drafts.map(({ closing }) => closing)).toEqual([null, null, { successor: null }]);
  expect(drafts.map(({ type, sourceType }) => `${type} ${sourceType}`)).toEqual(
    drafts.map(() => 'adjust client_deleted'),
  );
  expect(wallet).toMatchObject({ lots: [], figures: { active: 0, spent: active } });
});

test('a wallet of very many lots becomes part of another by entries that a store can hold', () => {
  const source = crowdedWallet();
  const debt = unitsOf(-25);
  const owing = { ...EMPTY_WALLET.figures, active: debt, spent: unitsOf(25) };
  let [from, to] = [source, { ...EMPTY_WALLET, sequence: 1, figures: owing } as Wallet];
  const pairs = merge(from, to, NAMES);
  for (const [out, into] of pairs) {
    expect(Math.max(lotsNamed(out), lotsNamed(into))).toBeLessThanOrEqual(LOTS_AT_ONCE);
    expect(out).toMatchObject({ type: 'transfer_out', sourceType: 'merge' });
    expect(into).toMatchObject({ type: 'transfer_in', sourceType: 'merge' });
    [from, to] = [next(from, out), next(to, into)];
  }
  expect(from).toMatchObject({ lots: [], holds: [], closing: { successor: 'successor' } });
  expect(Object.values(from.figures)).toEqual(Object.values(EMPTY_WALLET.figures));
  const { active, pending, locked, earned, spent } = source.figures;
  expect(to.figures).toMatchObject({
    active: active - 25,
    pending,
    locked,
    earned,
    spent: spent + 25,
  });
  // The debt took two lots of ten and half of a third.
  expect([to.lots.length, to.holds.length]).toEqual([2 * COUNT - 2, 3]);
  expect(pairs.filter(([{ closing }]) => closing)).toHaveLength(1);
});

test('as many lots as an entry may name are spent, given away or held at once, and one more is refused', () => {
  const active = unitsOf(10 * COUNT);
  const figures = { ...EMPTY_WALLET.figures, active, earned: active };
  const wallet: Wallet = { ...EMPTY_WALLET, sequence: COUNT, figures, lots: lotsFrom(1, null) };
  const taking = [
    (amount: Units) => spend({ wallet, rules: RULES }, { ...NOTE, amount }),
    (amount: Units) => transferOut({ wallet, rules: RULES }, { ...NOTE, amount }),
    (amount: Units) => lock(wallet, { ...NOTE, amount }, { entryId: entryId(0), now: T0 }),
  ];
  for (const take of taking) {
    expect(lotsNamed(take(unitsOf(10 * LOTS_AT_ONCE)))).toBe(LOTS_AT_ONCE);
    expect(() => take(unitsOf(10 * LOTS_AT_ONCE + 1))).toThrow(refusals.tooManyLots());
  }
});

test.each([
  { mayOwe: true, last: unitsOf(10 * 5 + 1_000), active: unitsOf(-1_000) },
  { mayOwe: false, last: unitsOf(10 * 5), active: unitsOf(0) },
])(
  'a refund takes from very many lots by entries that a store can hold, and below zero with the last alone: $mayOwe',
  ({ mayOwe, last, active: left }) => {
    const active = unitsOf(10 * COUNT);
    const due = unitsOf(active + 1_000);
    const figures = {
      ...EMPTY_WALLET.figures,
      active,
      earned: unitsOf(2 * due),
      spent: unitsOf(2 * due - active),
    };
    let wallet: Wallet = { ...EMPTY_WALLET, sequence: COUNT, figures, lots: lotsFrom(1, null) };
    const rules = { ...RULES, allowNegative: mayOwe };
    const taken: Units[] = [];
    for (let missing = due; missing > 0; ) {
      const take = { earnId: entryId(900_000), left: missing, due: missing };
      const draft = takeBack({ wallet, rules }, take, NOTE);
      if (!draft) break;
      expect(lotsNamed(draft)).toBeLessThanOrEqual(LOTS_AT_ONCE);
      wallet = next(wallet, draft);
      taken.push(unitsOf(-draft.amount));
      missing = unitsOf(missing + draft.amount);
    }
    expect(taken).toEqual([unitsOf(10 * LOTS_AT_ONCE), unitsOf(10 * LOTS_AT_ONCE), last]);
    expect(wallet).toMatchObject({ lots: [], figures: { active: left } });
  },
);
