import { unitsOf } from '@laurel/values/amount';
import fc from 'fast-check';
import { endingAtOnce, entryId, settle } from '../testing/wallets';
import { compareLots, refOf } from './lots';
import { leavesDue, type Settlement, settledFigures, settlements } from './settle';
import { assertSound } from './soundness';
import type { Hold, Lot, LotRef, Wallet } from './types';
import { applyEffect, EMPTY_WALLET } from './wallet';

const NOW = 9;
const aMoment = fc.integer({ min: 1, max: NOW + 1 });
const anAmount = fc.integer({ min: 1, max: 5 }).map(unitsOf);
const aLot = fc.record({
  maker: fc.integer({ min: 1, max: 3 }),
  maturesAt: fc.option(aMoment),
  expiresIn: fc.option(fc.integer({ min: 0, max: NOW })),
  remaining: anAmount,
});
const aHold = fc.record({
  expiresAt: aMoment,
  parts: fc.array(fc.record({ of: fc.nat(9), amount: anAmount }), { minLength: 1 }),
});
const sum = (all: readonly number[]) => unitsOf(all.reduce((total, one) => total + one, 0));

/** A sound wallet with lots of few entries, and holds of lots that are there or are used up. */
const aWallet = fc
  .record({ lots: fc.array(aLot), holds: fc.array(aHold, { maxLength: 4 }), debt: fc.nat(9) })
  .map(({ debt, ...some }): Wallet => {
    const lots = some.lots
      .map(({ maker, maturesAt, expiresIn, remaining }, index): Lot => {
        const expiresAt = expiresIn === null ? null : (maturesAt ?? 1) + expiresIn;
        const id = `${entryId(maker)}.${String(index).padStart(4, '0')}`;
        return { id, madeAt: maker, sequence: maker, maturesAt, expiresAt, remaining };
      })
      .sort(compareLots);
    const active = lots.filter(({ maturesAt }) => maturesAt === null);
    const usedUp = (index: number): LotRef => {
      const expiresAt = index % 3 === 0 ? null : index;
      return { id: `${entryId(2)}.9${index}`, madeAt: 2, sequence: 2, expiresAt };
    };
    const holds = some.holds.map(
      ({ expiresAt, parts }, index): Hold => ({
        id: entryId(100 + index),
        expiresAt,
        amount: sum(parts.map(({ amount }) => amount)),
        parts: parts.map(({ of, amount }) => ({ lot: refOf(active[of] ?? usedUp(of)), amount })),
        outcome: 'expired',
      }),
    );
    const figures = {
      ...EMPTY_WALLET.figures,
      active: active.length > 0 ? sum(active.map(({ remaining }) => remaining)) : unitsOf(-debt),
      pending: sum(lots.map((lot) => (lot.maturesAt === null ? 0 : lot.remaining))),
      locked: sum(holds.map(({ amount }) => amount)),
    };
    const earned = unitsOf(figures.active + figures.pending + figures.locked);
    return { ...EMPTY_WALLET, sequence: 200, lots, holds, figures: { ...figures, earned } };
  });

test('what is due is settled in one go as it is one thing after the other', () => {
  fc.assert(
    fc.property(aWallet, (given) => {
      const steps: Settlement[] = [];
      let wallet = given;
      for (let step = settle(wallet, NOW); step; step = settle(wallet, NOW)) {
        const after = applyEffect(wallet, step.draft, NOW);
        assertSound(wallet, step.draft, after);
        steps.push(step);
        wallet = after;
      }
      expect([...settlements(given, NOW)]).toEqual(steps);
      expect(settledFigures(given, NOW)).toEqual(wallet.figures);
    }),
  );
});

test('very many lots that end at once are foreseen without looking through all of them for each', () => {
  const count = 60_000;
  const wallet = endingAtOnce(count, NOW);
  expect(settledFigures(wallet, NOW)).toMatchObject({ active: 0, expired: count });
});

describe('an entry leaves something that is due', () => {
  const ref = (expiresAt: number | null): LotRef => ({
    id: `${entryId(1)}.0000`,
    madeAt: 1,
    sequence: 1,
    expiresAt,
  });
  const back = (by: number, { expiresAt = null, maturesAt = null }: Partial<Lot> = {}) => ({
    lot: ref(expiresAt),
    by: unitsOf(by),
    maturesAt,
  });
  const held = (amount: number, expiresAt: number): Hold => ({
    id: entryId(2),
    expiresAt,
    amount: unitsOf(amount),
    parts: [],
    outcome: 'expired',
  });
  const isLeft = (lots: ReturnType<typeof back>[], holds: Hold[] = []) =>
    leavesDue({ lots, holds }, NOW);

  test.each([
    [NOW - 1, true],
    [NOW, true],
    [NOW + 1, false],
  ])('by a hold that ends at %d, now being 9, where something is left of it: %p', (at, is) => {
    expect(isLeft([], [held(1, at)])).toBe(is);
    expect(isLeft([], [held(1, NOW + 1), held(1, at)])).toBe(is);
    expect(isLeft([], [held(0, at)])).toBe(false);
  });

  test.each([
    [NOW - 1, true],
    [NOW, true],
    [NOW + 1, false],
  ])('by points that go back to a lot that ends at %d: %p', (expiresAt, is) => {
    expect(isLeft([back(1, { expiresAt })])).toBe(is);
    expect(isLeft([back(1), back(1, { expiresAt })])).toBe(is);
    for (const by of [0, -1]) expect(isLeft([back(by, { expiresAt })])).toBe(false);
  });

  test('by pending points once they mature, whenever their lot ends', () => {
    expect(isLeft([back(1, { maturesAt: NOW, expiresAt: NOW + 1 })])).toBe(true);
    expect(isLeft([back(1, { maturesAt: NOW + 1, expiresAt: NOW })])).toBe(false);
  });

  test('never by points that do not end, nor by nothing', () => {
    expect(isLeft([back(1)])).toBe(false);
    expect(isLeft([])).toBe(false);
  });
});
