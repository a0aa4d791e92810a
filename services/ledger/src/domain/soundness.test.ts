import { AMOUNT_MAX, AmountRangeError, add, negate, type Units, ZERO } from '@laurel/values/amount';
import fc from 'fast-check';
import { DAY, entryId, given, NOTE, points, RULES, T0 } from '../testing/wallets';
import { earn } from './earn';
import { lock } from './hold';
import { assertSound, requireRoomToSettle, UnsoundWallet } from './soundness';
import { spend } from './spend';
import type { Caps, Draft, Figures, Lot, Wallet } from './types';
import { applyEffect, draft } from './wallet';

const earned = (amount: number, pendingDays = 0) =>
  given((wallet, moment) =>
    earn({ wallet, rules: RULES }, { ...NOTE, amount: points(amount), pendingDays }, moment),
  ).wallet;
const hundred = earned(100);
const spent = spend({ wallet: hundred, rules: RULES }, { ...NOTE, amount: points(10) });

/** Checks an entry whose wallet came out as said. */
const check = (before: Wallet, entry: Draft, changes: Partial<Wallet> = {}) =>
  assertSound(before, entry, { ...applyEffect(before, entry, T0), ...changes });
const refusing = (work: () => void): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(UnsoundWallet);
    return (error as UnsoundWallet).message;
  }
  return 'nothing';
};
/** An entry that changes figures and nothing else. */
const changing = (change: Partial<Figures>, more: Partial<Draft> = {}): Draft =>
  draft({ type: 'adjust', amount: ZERO, change }, NOTE, more);
const figuresOf = (wallet: Wallet, change: Partial<Figures>): Figures => ({
  ...wallet.figures,
  ...change,
});
const caps = (more: Partial<Caps>): Caps => ({
  maxBalance: null,
  allowNegative: false,
  requested: ZERO,
  ...more,
});

test('a sound entry passes', () => {
  expect(refusing(() => check(hundred, spent))).toBe('nothing');
});

test('a spend of all there is passes', () => {
  const all = spend({ wallet: hundred, rules: RULES }, { ...NOTE, amount: points(100) });
  expect(refusing(() => check(hundred, all))).toBe('nothing');
});

test('points may come and go by every way that the totals know', () => {
  const expiring = changing(
    { active: points(-40), expired: points(20), moved: points(-20) },
    { lots: [{ lot: hundred.lots[0]!, by: points(-40), maturesAt: null }] },
  );
  expect(refusing(() => check(hundred, expiring))).toBe('nothing');
});

test('the alarm has a name of its own', () => {
  expect(new UnsoundWallet('why')).toMatchObject({ name: 'UnsoundWallet', message: 'why' });
});

test('a sequence with a hole is refused, as is one that stands still', () => {
  for (const sequence of [hundred.sequence, hundred.sequence + 2])
    expect(refusing(() => check(hundred, spent, { sequence }))).toMatch('sequence has a hole');
});

test.each(['pending', 'locked'] as const)('%s points below zero are refused', (name) => {
  const wrong = changing({ [name]: points(-1), active: points(1) });
  expect(refusing(() => check(hundred, wrong))).toMatch('below zero');
});

test.each(['earned', 'spent', 'expired', 'moved', 'active', 'pending', 'locked'] as const)(
  'balances that the totals do not explain are refused: %s off by one',
  (name) => {
    const figures = applyEffect(hundred, spent, T0).figures;
    const off = { ...figures, [name]: add(figures[name], points(1)) };
    expect(refusing(() => check(hundred, spent, { figures: off }))).toMatch('do not explain');
  },
);

describe.each([
  ['few lots, which are all looked at', 0],
  ['many lots, of which those that change are looked at', 64],
])('with %s', (_what, more) => {
  const others = Array.from(
    { length: more },
    (_, index): Lot => ({
      id: entryId(1_000 + index),
      madeAt: T0 + DAY,
      sequence: 1_000 + index,
      expiresAt: null,
      remaining: points(1),
      maturesAt: null,
    }),
  );
  /** A wallet with other lots beside the one of its earn. */
  const crowded = (wallet: Wallet): Wallet => ({
    ...wallet,
    figures: {
      ...wallet.figures,
      active: add(wallet.figures.active, points(more)),
      earned: add(wallet.figures.earned, points(more)),
    },
    lots: [...wallet.lots, ...others],
  });
  const active = crowded(hundred);
  const pending = crowded(earned(100, 1));
  const [own] = active.lots as [Lot];
  const [unripe] = pending.lots as [Lot];
  const taken = (lot: Lot, amount: number) => [
    { lot, by: points(-amount), maturesAt: lot.maturesAt },
  ];
  const minus = { active: points(-10), spent: points(10) };

  test('what lots give and balances lose must agree', () => {
    expect(refusing(() => check(active, changing(minus, { lots: taken(own, 10) })))).toBe(
      'nothing',
    );
    expect(refusing(() => check(active, changing(minus, { lots: taken(own, 9) })))).toMatch(
      'active lots',
    );
    expect(refusing(() => check(active, changing(minus)))).toMatch('active lots');
    const idle = changing({}, { lots: taken(own, 9) });
    expect(refusing(() => check(active, idle))).toMatch('active lots');
  });

  test('pending lots must agree with the pending balance', () => {
    const less = { pending: points(-10), earned: points(-10) };
    expect(refusing(() => check(pending, changing(less, { lots: taken(unripe, 10) })))).toBe(
      'nothing',
    );
    expect(refusing(() => check(pending, changing(less, { lots: taken(unripe, 9) })))).toMatch(
      'pending lots',
    );
    expect(refusing(() => check(pending, changing(less)))).toMatch('pending lots');
  });

  test('a new lot must be in a balance', () => {
    const lot = { ...own, id: entryId(2), sequence: 2 };
    const made = (maturesAt: number | null) => [{ lot, by: points(5), maturesAt }];
    const plus = { active: points(5), earned: points(5) };
    expect(refusing(() => check(active, changing(plus, { lots: made(null) })))).toBe('nothing');
    expect(refusing(() => check(active, changing(plus, { lots: made(T0) })))).toMatch('lots');
  });

  test('no lot may be below zero or stay when it is empty', () => {
    for (const remaining of [points(-1), ZERO]) {
      const entry = changing(minus, { lots: taken(own, 10) });
      const lots = [{ ...own, remaining }, ...others];
      expect(refusing(() => check(active, entry, { lots }))).toMatch('empty or below zero');
    }
  });

  test('a hole is in no lot', () => {
    const below = points(-5);
    const debit = negate(add(active.figures.active, points(5)));
    const entry = changing(
      { active: debit, spent: negate(debit) },
      {
        caps: caps({ allowNegative: true }),
        lots: active.lots.map((lot) => ({ lot, by: negate(lot.remaining), maturesAt: null })),
      },
    );
    const after = applyEffect(active, entry, T0);
    expect(after.figures.active).toBe(below);
    expect(refusing(() => check(active, entry))).toBe('nothing');
    const filled = changing({ active: points(5), earned: points(5) });
    expect(refusing(() => check(after, filled))).toBe('nothing');
  });
});

test('old damage is found where all lots are looked at, which is up to 64', () => {
  const damaged = (lots: number): Wallet => {
    const one = hundred.lots[0]!;
    return {
      ...hundred,
      lots: Array.from({ length: lots }, (_, at) => ({
        ...one,
        id: entryId(at),
        sequence: at,
        remaining: points(1),
      })),
      figures: figuresOf(hundred, { active: points(200), earned: points(200) }),
    };
  };
  const nothing = changing({});
  expect(refusing(() => check(damaged(64), nothing))).toMatch('active lots');
  expect(refusing(() => check(damaged(65), nothing))).toBe('nothing');
});

test('holds must add up to the locked balance', () => {
  const entry = lock(hundred, { ...NOTE, amount: points(10) }, { entryId: entryId(2), now: T0 });
  expect(refusing(() => check(hundred, entry))).toBe('nothing');
  expect(refusing(() => check(hundred, { ...entry, holds: [] }))).toMatch('holds do not add up');
});

describe('a balance below zero', () => {
  const debit = (more: Partial<Draft>): Draft =>
    changing(
      { active: points(-101), spent: points(101) },
      { lots: [{ lot: hundred.lots[0]!, by: points(-100), maturesAt: null }], ...more },
    );

  test('is refused, whether or not limits were in force', () => {
    expect(refusing(() => check(hundred, debit({})))).toMatch('overdrawn');
    expect(refusing(() => check(hundred, debit({ caps: caps({}) })))).toMatch('overdrawn');
  });

  test('is let pass where the wallet type allows it, and by a merge', () => {
    const allowed = debit({ caps: caps({ allowNegative: true }) });
    expect(refusing(() => check(hundred, allowed))).toBe('nothing');
    expect(refusing(() => check(hundred, debit({ sourceType: 'merge' })))).toBe('nothing');
  });

  test('may rise or stay, but not fall', () => {
    const owing = {
      ...hundred,
      lots: [],
      figures: figuresOf(hundred, { active: points(-5), spent: points(105) }),
    };
    expect(refusing(() => check(owing, changing({ active: points(1), earned: points(1) })))).toBe(
      'nothing',
    );
    expect(refusing(() => check(owing, changing({})))).toBe('nothing');
    expect(
      refusing(() => check(owing, changing({ active: points(-1), spent: points(1) }))),
    ).toMatch('overdrawn');
  });
});

describe('the cap', () => {
  const earning = (amount: number, limits: Caps | null, wallet = hundred): Draft => ({
    ...earn(
      { wallet, rules: RULES },
      { ...NOTE, amount: points(amount) },
      { entryId: entryId(2), now: T0 },
    ),
    caps: limits,
  });
  const capped = (at: number) => caps({ maxBalance: points(at) });

  test('holds for an earn, to the last point', () => {
    expect(refusing(() => check(hundred, earning(10, capped(110))))).toBe('nothing');
    expect(refusing(() => check(hundred, earning(10, capped(109))))).toMatch('over its cap');
  });

  test('does not hold where there is none', () => {
    expect(refusing(() => check(hundred, earning(10, null)))).toBe('nothing');
    expect(refusing(() => check(hundred, earning(10, caps({}))))).toBe('nothing');
  });

  test('does not hold for what is no earn', () => {
    const refund = { ...earning(10, capped(50)), type: 'cancel' as const };
    expect(refusing(() => check(hundred, refund))).toBe('nothing');
  });

  test('is no reason to refuse an earn that leaves the balance where it was', () => {
    const pending = earn(
      { wallet: hundred, rules: RULES },
      { ...NOTE, amount: points(10), pendingDays: 1 },
      { entryId: entryId(2), now: T0 },
    );
    expect(refusing(() => check(hundred, { ...pending, caps: capped(50) }))).toBe('nothing');
  });
});

test('whatever is earned and spent is sound, however many lots there are', () => {
  const anyAmount = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(
      fc.array(anyAmount, { minLength: 60, maxLength: 90 }),
      anyAmount,
      (amounts, debit) => {
        let story = given();
        for (const amount of amounts)
          story = story.when((wallet, moment) =>
            earn({ wallet, rules: RULES }, { ...NOTE, amount: points(amount) }, moment),
          );
        const entry = spend(
          { wallet: story.wallet, rules: RULES },
          { ...NOTE, amount: points(debit) },
        );
        expect(refusing(() => check(story.wallet, entry))).toBe('nothing');
        const short = entry.lots.map(({ lot, by, maturesAt }, at) => ({
          lot,
          by: (at === 0 ? by + 1 : by) as Units,
          maturesAt,
        }));
        expect(refusing(() => check(story.wallet, { ...entry, lots: short }))).toMatch('lots');
      },
    ),
  );
});

describe('room to settle', () => {
  const MOST = points(AMOUNT_MAX);
  const wallet = (change: Partial<Figures>): Wallet => ({
    ...hundred,
    figures: { ...hundred.figures, earned: ZERO, moved: ZERO, spent: ZERO, ...change },
  });
  const hasRoom = (before: Wallet, after: Wallet) =>
    expect(() => requireRoomToSettle(before, after));

  test('is what came in and was not spent, up to the largest amount', () => {
    hasRoom(wallet({}), wallet({ earned: MOST })).not.toThrow();
    hasRoom(wallet({}), wallet({ earned: MOST, moved: points(1) })).toThrow(AmountRangeError);
    const spent = { earned: MOST, moved: points(1), spent: points(1) };
    hasRoom(wallet({}), wallet(spent)).not.toThrow();
  });

  test('is asked for only where more comes in: a wallet that is over may shrink, and stay as it is', () => {
    const over = wallet({ earned: MOST, moved: points(2) });
    hasRoom(over, over).not.toThrow();
    hasRoom(over, wallet({ earned: MOST, moved: points(1) })).not.toThrow();
    hasRoom(over, wallet({ earned: MOST, moved: points(3) })).toThrow(AmountRangeError);
  });
});
