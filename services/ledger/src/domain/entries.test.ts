import { ZERO } from '@laurel/values/amount';
import { DAY, entryId, given, NOTE, points, RULES, settle, T0 } from '../testing/wallets';
import { adjust } from './adjust';
import { cancel } from './cancel';
import { close } from './close';
import { earn } from './earn';
import { capture, heldBy, lock, release } from './hold';
import { merge } from './merge';
import { takeBack } from './refund-purchase';
import { spend } from './spend';
import { transferIn, transferOut } from './transfer';
import type { Draft, LotRef, Note, Part, Rules } from './types';
import { applyEffect, EMPTY_WALLET } from './wallet';

const MINUTE = 60_000;
const note: Note = {
  sourceType: 'transaction',
  sourceId: 'order',
  externalId: 'receipt',
  description: 'Two coffees',
  metadata: { till: 3 },
};
const rules: Rules = { ...RULES, expiryDays: 10, maxBalance: points(500), allowNegative: true };
const caps = (requested: number) => ({
  maxBalance: points(500),
  allowNegative: true,
  requested: points(requested),
});

/** An entry that does nothing: what each operation adds to it is all that it does. */
const BLANK: Omit<Draft, 'type' | 'amount' | 'change'> = {
  ...NOTE,
  status: 'active',
  expiresAt: null,
  lots: [],
  consumed: [],
  holds: [],
  marks: [],
  caps: null,
  closing: null,
};
const own = (sourceType: string, sourceId: string | null) => ({ ...BLANK, sourceType, sourceId });

/** The lot that the entry of a number made, a minute after the one before it. */
const lotOf = (number: number, expiresAt: number | null = null): LotRef => ({
  id: entryId(number),
  madeAt: T0 + (number - 1) * MINUTE,
  sequence: number,
  expiresAt,
});
const by = (lot: LotRef, amount: number, maturesAt: number | null = null) => ({
  lot,
  by: points(amount),
  maturesAt,
});
const part = (lot: LotRef, amount: number): Part => ({ lot, amount: points(amount) });

const earned = (amount: number, pendingDays = 0, expiryDays?: number) =>
  given((wallet, moment) =>
    earn(
      { wallet, rules: RULES },
      { ...NOTE, amount: points(amount), pendingDays, expiryDays },
      moment,
    ),
  );
const hundred = earned(100);
const locked = hundred.when((wallet, moment) =>
  lock(wallet, { ...note, amount: points(60), expiresInSeconds: 90 }, moment),
);

describe('an earn', () => {
  test('says what was credited, with the words of the caller and the limits in force', () => {
    const story = given((wallet, moment) =>
      earn({ wallet, rules }, { ...note, amount: points(100) }, moment),
    );
    const expiresAt = T0 + 10 * DAY;
    expect(story.last).toEqual({
      ...BLANK,
      ...note,
      type: 'earn',
      amount: points(100),
      change: { active: points(100), earned: points(100) },
      expiresAt,
      lots: [by(lotOf(1, expiresAt), 100)],
      caps: caps(100),
    });
  });

  test('that is pending has a pending lot', () => {
    const story = given((wallet, moment) =>
      earn({ wallet, rules }, { ...note, amount: points(100), pendingDays: 2 }, moment),
    );
    const expiresAt = T0 + 12 * DAY;
    expect(story.last).toMatchObject({
      status: 'pending',
      change: { pending: points(100), earned: points(100) },
      expiresAt,
      lots: [by(lotOf(1, expiresAt), 100, T0 + 2 * DAY)],
    });
  });

  test('that is pending leaves the hole of a negative balance for when it matures', () => {
    const story = given(
      (wallet) => spend({ wallet, rules }, { ...NOTE, amount: points(50) }),
      (wallet, moment) =>
        earn({ wallet, rules: RULES }, { ...NOTE, amount: points(30), pendingDays: 1 }, moment),
    );
    expect(story.lots).toEqual({ 2: 30 });
  });

  test('that only fills a hole makes no lot', () => {
    const story = given(
      (wallet) => spend({ wallet, rules }, { ...NOTE, amount: points(50) }),
      (wallet, moment) => earn({ wallet, rules: RULES }, { ...NOTE, amount: points(50) }, moment),
    );
    expect(story.last.lots).toEqual([]);
  });

  test('that is capped keeps the metadata of the caller beside what was asked for', () => {
    const capped = { ...rules, maxBalance: points(40) };
    const story = given((wallet, moment) =>
      earn({ wallet, rules: capped }, { ...note, amount: points(100) }, moment),
    );
    expect(story.last.metadata).toEqual({ till: 3, requested_amount: 100 });
    expect(story.last.caps).toEqual({ ...caps(100), maxBalance: points(40) });
  });
});

describe('a spend', () => {
  test('says which lots it used up', () => {
    const story = hundred.when((wallet) =>
      spend({ wallet, rules }, { ...note, amount: points(30) }),
    );
    expect(story.last).toEqual({
      ...BLANK,
      ...note,
      type: 'spend',
      amount: points(-30),
      change: { active: points(-30), spent: points(30) },
      lots: [by(lotOf(1), -30)],
      consumed: [part(lotOf(1), 30)],
      caps: caps(-30),
    });
  });

  test('below zero used up only what was there', () => {
    const story = hundred.when((wallet) =>
      spend({ wallet, rules }, { ...note, amount: points(130) }),
    );
    expect(story.last).toMatchObject({ amount: points(-130), consumed: [part(lotOf(1), 100)] });
  });
});

describe('an adjust', () => {
  test('up is a credit with a lot', () => {
    const story = given((wallet, moment) =>
      adjust({ wallet, rules }, { ...note, amount: points(20), expiryDays: 1 }, moment),
    );
    expect(story.last).toEqual({
      ...BLANK,
      ...note,
      type: 'adjust',
      amount: points(20),
      change: { active: points(20), earned: points(20) },
      expiresAt: T0 + DAY,
      lots: [by(lotOf(1, T0 + DAY), 20)],
      caps: caps(20),
    });
  });

  test('up that only fills a hole makes no lot', () => {
    const story = given(
      (wallet) => spend({ wallet, rules }, { ...NOTE, amount: points(20) }),
      (wallet, moment) => adjust({ wallet, rules: RULES }, { ...NOTE, amount: points(20) }, moment),
    );
    expect(story.last.lots).toEqual([]);
  });

  test('down is a debit, below zero where spends may go there', () => {
    const story = hundred.when((wallet, moment) =>
      adjust({ wallet, rules }, { ...note, amount: points(-110) }, moment),
    );
    expect(story.last).toEqual({
      ...BLANK,
      ...note,
      type: 'adjust',
      amount: points(-110),
      change: { active: points(-110), spent: points(110) },
      lots: [by(lotOf(1), -100)],
      consumed: [part(lotOf(1), 100)],
      caps: caps(-110),
    });
  });
});

describe('a hold', () => {
  const hold = {
    id: entryId(2),
    amount: points(60),
    expiresAt: T0 + MINUTE + 90_000,
    parts: [part(lotOf(1), 60)],
    outcome: 'expired',
  };

  test('is placed by a lock, which remembers the lots', () => {
    expect(locked.last).toEqual({
      ...BLANK,
      ...note,
      type: 'lock',
      status: 'locked',
      amount: points(-60),
      change: { active: points(-60), locked: points(60) },
      expiresAt: hold.expiresAt,
      lots: [by(lotOf(1), -60)],
      consumed: [part(lotOf(1), 60)],
      holds: [hold],
    });
  });

  test('is given up by a release, which names the lock', () => {
    const story = locked.when((wallet) =>
      release(wallet, heldBy(wallet, entryId(2)), { outcome: 'cancelled' }),
    );
    expect(story.last).toEqual({
      ...own('release', entryId(2)),
      type: 'unlock',
      amount: points(60),
      change: { active: points(60), locked: points(-60) },
      lots: [by(lotOf(1), 60)],
      holds: [{ ...hold, amount: ZERO, parts: [] }],
      marks: [{ entryId: entryId(2), status: 'cancelled' }],
    });
  });

  test('is spent by a capture, which leaves the rest due for release', () => {
    const story = locked.when((wallet, moment) =>
      capture(wallet, { lockEntryId: entryId(2), amount: points(45) }, moment),
    );
    const now = T0 + 2 * MINUTE;
    expect(story.last).toEqual({
      ...own('capture', entryId(2)),
      type: 'spend',
      amount: points(-45),
      change: { locked: points(-45), spent: points(45) },
      consumed: [part(lotOf(1), 45)],
      holds: [
        {
          ...hold,
          amount: points(15),
          expiresAt: now,
          parts: [part(lotOf(1), 15)],
          outcome: 'active',
        },
      ],
      marks: [{ entryId: entryId(2), status: 'active' }],
    });
    expect(settle(story.wallet, now)).toEqual({
      operation: `release:${entryId(2)}:4`,
      draft: expect.objectContaining({
        type: 'unlock',
        marks: [{ entryId: entryId(2), status: 'active' }],
      }),
    });
  });

  test('is held no longer once part of it was captured, though the rest is not released yet', () => {
    const story = locked.when((wallet, moment) =>
      capture(wallet, { lockEntryId: entryId(2), amount: points(45) }, moment),
    );
    const moment = { entryId: entryId(4), now: T0 + 2 * MINUTE };
    for (const amount of [undefined, points(1)])
      expect(() => capture(story.wallet, { lockEntryId: entryId(2), amount }, moment)).toThrow(
        'the points are no longer held',
      );
    expect(() => heldBy(story.wallet, entryId(2))).toThrow('the points are no longer held');
  });

  test('may be captured to the last point', () => {
    const story = locked.when((wallet, moment) =>
      capture(wallet, { lockEntryId: entryId(2), amount: points(60) }, moment),
    );
    expect(story.wallet.holds).toEqual([]);
  });
});

describe('what happens by itself', () => {
  test('a maturation names its earn and marks it active', () => {
    const story = earned(100, 1, 2);
    const now = T0 + DAY;
    const lot = lotOf(1, T0 + 3 * DAY);
    expect(settle(story.wallet, now - 1)).toBeNull();
    expect(settle(story.wallet, now)).toEqual({
      operation: `mature:${entryId(1)}`,
      draft: {
        ...own('maturation', entryId(1)),
        type: 'unlock',
        amount: points(100),
        change: { pending: points(-100), active: points(100) },
        expiresAt: lot.expiresAt,
        lots: [by(lot, 0)],
        marks: [{ entryId: entryId(1), status: 'active' }],
      },
    });
  });

  test('an expiry names its earn, marks it expired and says what was lost', () => {
    const story = earned(100, 0, 2);
    const lot = lotOf(1, T0 + 2 * DAY);
    expect(settle(story.wallet, T0 + 2 * DAY)).toEqual({
      operation: `expire:${entryId(1)}:2`,
      draft: {
        ...own('expiry', entryId(1)),
        type: 'expire',
        amount: points(-100),
        change: { active: points(-100), expired: points(100) },
        lots: [by(lot, -100)],
        consumed: [part(lot, 100)],
        marks: [{ entryId: entryId(1), status: 'expired' }],
      },
    });
  });

  test('a transfer of several lots is expired once the last of them is', () => {
    const lots = [1, 2].map((day) => ({
      ...lotOf(1, T0 + day * DAY),
      id: `${entryId(1)}.000${day}`,
      remaining: points(50),
      maturesAt: null,
    }));
    const wallet = { ...hundred.wallet, lots };
    const [first, last] = [T0 + DAY, T0 + 2 * DAY];
    const ended = settle(wallet, first)!.draft;
    expect(ended).toMatchObject({ type: 'expire', amount: points(-50), marks: [] });
    expect(settle(applyEffect(wallet, ended, first), last)?.draft).toMatchObject({
      marks: [{ entryId: entryId(1), status: 'expired' }],
    });
  });

  test('the lots of a transfer lead back to its entry', () => {
    const lot = { ...lotOf(1, T0), id: `${entryId(1)}.0001` };
    const wallet = {
      ...hundred.wallet,
      lots: [{ ...lot, remaining: points(100), maturesAt: null }],
    };
    expect(settle(wallet, T0)?.draft).toMatchObject({
      sourceId: entryId(1),
      marks: [{ entryId: entryId(1) }],
    });
  });
});

describe('a cancel', () => {
  const reversed = (draft: Draft, number: number) => ({
    id: entryId(number),
    left: draft.amount,
    ...draft,
  });

  test('of an earn gives up its lot, active or pending', () => {
    for (const [pendingDays, balance] of [
      [0, 'active'],
      [1, 'pending'],
    ] as const) {
      const story = earned(100, pendingDays);
      const after = story.when((wallet, moment) =>
        cancel(wallet, { entry: reversed(story.last, 1), note }, moment),
      );
      expect(after.last).toEqual({
        ...BLANK,
        ...note,
        type: 'cancel',
        amount: points(-100),
        change: { [balance]: points(-100), earned: points(-100) },
        lots: [by(lotOf(1), -100, pendingDays ? T0 + DAY : null)],
        consumed: [part(lotOf(1), 100)],
        marks: [{ entryId: entryId(1), status: 'cancelled' }],
      });
    }
  });

  test('of a spend that went below zero refunds its lots, and the rest as a lot of its own', () => {
    const story = hundred.when((wallet) =>
      spend({ wallet, rules }, { ...NOTE, amount: points(130) }),
    );
    const filled = story.when((wallet, moment) =>
      earn({ wallet, rules: RULES }, { ...NOTE, amount: points(30) }, moment),
    );
    const after = filled.when((wallet, moment) =>
      cancel(wallet, { entry: reversed(story.last, 2), note }, moment),
    );
    expect(after.last).toEqual({
      ...BLANK,
      ...note,
      type: 'cancel',
      amount: points(130),
      change: { active: points(130), spent: points(-130) },
      lots: [by(lotOf(1), 100), by(lotOf(4), 30)],
      marks: [{ entryId: entryId(2), status: 'cancelled' }],
    });
  });
});

describe('a refund of a purchase', () => {
  const refund = (due: number, allowed = rules) =>
    hundred
      .when((wallet) => spend({ wallet, rules }, { ...NOTE, amount: points(70) }))
      .when((wallet, moment) =>
        earn({ wallet, rules: RULES }, { ...NOTE, amount: points(20) }, moment),
      )
      .when(
        (wallet) =>
          takeBack(
            { wallet, rules: allowed },
            { earnId: entryId(1), left: points(100), due: points(due) },
            note,
          )!,
      );

  test('says which lots gave, the own one first, and marks an earn that is taken back whole', () => {
    expect(refund(100).last).toEqual({
      ...BLANK,
      ...note,
      type: 'cancel',
      amount: points(-100),
      change: { pending: ZERO, active: points(-100), earned: points(-100) },
      lots: [by(lotOf(1), -30), by(lotOf(3), -20)],
      consumed: [part(lotOf(1), 30), part(lotOf(3), 20)],
      marks: [{ entryId: entryId(1), status: 'cancelled' }],
      caps: caps(-100),
    });
  });

  test('leaves an earn that is taken back in part as it was', () => {
    expect(refund(40).last).toMatchObject({ amount: points(-40), marks: [] });
    expect(refund(100, RULES).last).toMatchObject({ amount: points(-50), marks: [] });
  });

  test('takes a pending lot where it stands', () => {
    const story = earned(100, 1).when(
      (wallet) =>
        takeBack(
          { wallet, rules: RULES },
          { earnId: entryId(1), left: points(100), due: points(40) },
          note,
        )!,
    );
    expect(story.last).toMatchObject({
      change: { pending: points(-40), active: ZERO, earned: points(-40) },
      lots: [by(lotOf(1), -40, T0 + DAY)],
    });
  });

  test('of an earn whose lot is gone takes from the others', () => {
    const story = hundred
      .when((wallet) => spend({ wallet, rules: RULES }, { ...NOTE, amount: points(100) }))
      .when((wallet, moment) =>
        earn({ wallet, rules: RULES }, { ...NOTE, amount: points(20) }, moment),
      )
      .when(
        (wallet) =>
          takeBack(
            { wallet, rules: RULES },
            { earnId: entryId(1), left: points(100), due: points(15) },
            note,
          )!,
      );
    expect(story.last).toMatchObject({
      lots: [by(lotOf(3), -15)],
      consumed: [part(lotOf(3), 15)],
    });
  });
});

describe('a transfer', () => {
  test('says on both sides what moved, under the limits of each', () => {
    const out = hundred.when((wallet) =>
      transferOut({ wallet, rules }, { ...note, amount: points(30) }),
    );
    expect(out.last).toEqual({
      ...BLANK,
      ...note,
      type: 'transfer_out',
      amount: points(-30),
      change: { active: points(-30), moved: points(-30) },
      lots: [by(lotOf(1), -30)],
      consumed: [part(lotOf(1), 30)],
      caps: caps(-30),
    });
    const into = given((wallet, moment) =>
      transferIn({ wallet, rules }, { parts: out.last.consumed, note }, moment),
    );
    expect(into.last).toEqual({
      ...BLANK,
      ...note,
      type: 'transfer_in',
      amount: points(30),
      change: { active: points(30), moved: points(30) },
      lots: [by({ ...lotOf(1), id: `${entryId(1)}.0000` }, 30)],
      caps: caps(30),
    });
  });

  test('expires with the first of its lots', () => {
    const parts = [part(lotOf(1, T0 + 2 * DAY), 1), part(lotOf(2, T0 + DAY), 1), part(lotOf(3), 1)];
    const into = given((wallet, moment) =>
      transferIn({ wallet, rules: RULES }, { parts, note: NOTE }, moment),
    );
    expect(into.last.expiresAt).toBe(T0 + DAY);
  });
});

describe('a merge', () => {
  const source = hundred
    .when((wallet, moment) =>
      earn({ wallet, rules: RULES }, { ...NOTE, amount: points(40), pendingDays: 3 }, moment),
    )
    .when((wallet, moment) => lock(wallet, { ...NOTE, amount: points(30) }, moment));
  const matures = T0 + MINUTE + 3 * DAY;

  const names = { sourceClientId: 'source', targetClientId: 'target', successor: 'successor' };
  const pairs = merge(source.wallet, EMPTY_WALLET, names);

  test('takes pending points, points on hold and all the rest from the source, each in an entry that says so, and names its successor', () => {
    expect(pairs.map(([out]) => out)).toEqual([
      {
        ...own('merge', 'target'),
        metadata: { balance: 'pending' },
        type: 'transfer_out',
        amount: points(-40),
        change: { pending: points(-40), moved: points(-40) },
        lots: [by(lotOf(2), -40, matures)],
        consumed: [part(lotOf(2), 40)],
      },
      {
        ...own('merge', 'target'),
        metadata: { balance: 'locked' },
        type: 'transfer_out',
        amount: points(-30),
        change: { locked: points(-30), moved: points(-30) },
        holds: [{ ...source.wallet.holds[0], amount: ZERO, parts: [] }],
      },
      {
        ...own('merge', 'target'),
        type: 'transfer_out',
        amount: points(-70),
        change: {
          active: points(-70),
          pending: ZERO,
          locked: ZERO,
          earned: points(-140),
          spent: ZERO,
          expired: ZERO,
          moved: points(70),
        },
        lots: [by(lotOf(1), -70)],
        consumed: [part(lotOf(1), 70)],
        closing: { successor: 'successor' },
      },
    ]);
  });

  test('brings everything to the target, lots and holds under their names', () => {
    expect(pairs.map(([, into]) => into)).toEqual([
      {
        ...own('merge', 'source'),
        metadata: { balance: 'pending' },
        type: 'transfer_in',
        amount: points(40),
        change: { pending: points(40), moved: points(40) },
        lots: [by(lotOf(2), 40, matures)],
      },
      {
        ...own('merge', 'source'),
        metadata: { balance: 'locked' },
        type: 'transfer_in',
        amount: points(30),
        change: { locked: points(30), moved: points(30) },
        holds: source.wallet.holds,
      },
      {
        ...own('merge', 'source'),
        type: 'transfer_in',
        amount: points(70),
        change: {
          active: points(70),
          pending: ZERO,
          locked: ZERO,
          earned: points(140),
          spent: ZERO,
          expired: ZERO,
          moved: points(-70),
        },
        lots: [by(lotOf(1), 70)],
      },
    ]);
  });
});

describe('closing a wallet', () => {
  test('says why at each step and what was lost', () => {
    const story = locked.when((wallet, moment) =>
      earn({ wallet, rules: RULES }, { ...NOTE, amount: points(40), pendingDays: 3 }, moment),
    );
    const matures = T0 + 2 * MINUTE + 3 * DAY;
    const released = story.when((wallet) => close(wallet, 'client_deleted')!);
    expect(released.last).toMatchObject({
      type: 'unlock',
      sourceType: 'client_deleted',
      sourceId: entryId(2),
      marks: [{ entryId: entryId(2), status: 'cancelled' }],
    });
    const cancelled = released.when((wallet) => close(wallet, 'client_deleted')!);
    expect(cancelled.last).toEqual({
      ...own('client_deleted', entryId(3)),
      type: 'cancel',
      amount: points(-40),
      change: { pending: points(-40), earned: points(-40) },
      lots: [by(lotOf(3), -40, matures)],
      consumed: [part(lotOf(3), 40)],
      marks: [{ entryId: entryId(3), status: 'cancelled' }],
    });
    const closed = cancelled.when((wallet) => close(wallet, 'client_deleted')!);
    expect(closed.last).toEqual({
      ...own('client_deleted', null),
      type: 'adjust',
      amount: points(-100),
      change: { active: points(-100), spent: points(100) },
      lots: [by(lotOf(1), -100)],
      consumed: [part(lotOf(1), 100)],
      closing: { successor: null },
    });
    expect(close(closed.wallet, 'client_deleted')).toBeNull();
  });

  test('has nothing to do where nothing was left', () => {
    expect(close(given().wallet, 'client_deleted')).toBeNull();
  });
});
