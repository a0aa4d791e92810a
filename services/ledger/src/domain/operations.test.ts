import { Refusal } from '@laurel/errors';
import fc from 'fast-check';
import {
  DAY,
  entryId,
  given,
  NOTE,
  points,
  RULES,
  type Step,
  settle,
  T0,
} from '../testing/wallets';
import { adjust } from './adjust';
import { cancel } from './cancel';
import { close } from './close';
import { earn } from './earn';
import { capture, heldBy, lock, release } from './hold';
import { merge } from './merge';
import { takeBack } from './refund-purchase';
import { shareOf } from './refund-shares';
import { nextDueAt } from './settle';
import { assertSound } from './soundness';
import { spend } from './spend';
import { transferIn, transferOut } from './transfer';
import type { Draft, Rules } from './types';
import { applyEffect, EMPTY_WALLET } from './wallet';

const rules = (more: Partial<Rules>): Rules => ({ ...RULES, ...more });
const earned =
  (
    amount: number,
    more: Partial<Rules> & { pendingDays?: number; expiryDays?: number } = {},
  ): Step =>
  (wallet, moment) =>
    earn({ wallet, rules: rules(more) }, { ...NOTE, amount: points(amount) }, moment);
const spent =
  (amount: number, more: Partial<Rules> = {}): Step =>
  (wallet) =>
    spend({ wallet, rules: rules(more) }, { ...NOTE, amount: points(amount) });
const adjusted =
  (amount: number, more: Partial<Rules> = {}): Step =>
  (wallet, moment) =>
    adjust({ wallet, rules: rules(more) }, { ...NOTE, amount: points(amount) }, moment);
const locked =
  (amount: number, expiresInSeconds?: number): Step =>
  (wallet, moment) =>
    lock(wallet, { ...NOTE, amount: points(amount), expiresInSeconds }, moment);
const captured =
  (lockNumber: number, amount?: number): Step =>
  (wallet, moment) =>
    capture(
      wallet,
      {
        lockEntryId: entryId(lockNumber),
        amount: amount === undefined ? undefined : points(amount),
      },
      moment,
    );
const released =
  (lockNumber: number): Step =>
  (wallet) =>
    release(wallet, heldBy(wallet, entryId(lockNumber)), { outcome: 'cancelled' });
const cancelled =
  (number: number, draft: Draft, left = draft.amount): Step =>
  (wallet, moment) =>
    cancel(wallet, { entry: { id: entryId(number), ...draft, left }, note: NOTE }, moment);
const NAMES = { sourceClientId: 's', targetClientId: 't', successor: 'successor' };
const settled: Step = (wallet, { now }) => settle(wallet, now)!.draft;
const reasonOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.problems[0]!.extensions?.reason ?? error.code;
    throw error;
  }
  return 'accepted';
};

describe('earn', () => {
  test('active at once without a pending period', () => {
    const story = given(earned(100));
    expect(story.last).toMatchObject({ type: 'earn', status: 'active', expiresAt: null });
    expect(story.figures).toEqual({ active: 100, earned: 100 });
    expect(story.lots).toEqual({ 1: 100 });
  });

  test('pending for pending_days; its expires_at is set at once and counts from maturity', () => {
    const story = given(earned(100, { pendingDays: 14, expiryDays: 30 }));
    expect(story.last).toMatchObject({ status: 'pending', expiresAt: T0 + 44 * DAY });
    expect(story.figures).toEqual({ pending: 100, earned: 100 });
    expect(nextDueAt(story.wallet)).toBe(T0 + 14 * DAY);
  });

  test('the command outranks the wallet type, even with 0', () => {
    const { last } = given((wallet, moment) =>
      earn(
        { wallet, rules: rules({ pendingDays: 14 }) },
        { ...NOTE, amount: points(1), pendingDays: 0 },
        moment,
      ),
    );
    expect(last.status).toBe('active');
  });

  test('over the cap it credits the room left and keeps what was asked for', () => {
    const story = given(earned(80), earned(50, { maxBalance: points(100) }));
    expect(story.last.amount).toBe(points(20));
    expect(story.last.metadata).toEqual({ requested_amount: 50 });
    expect(story.figures).toEqual({ active: 100, earned: 100 });
  });

  test('pending points count against the cap; held ones do not', () => {
    const full = given(earned(100, { pendingDays: 1 }));
    expect(reasonOf(() => full.when(earned(1, { maxBalance: points(100) })))).toBe('max_balance');
    const held = given(earned(100), locked(60));
    expect(held.when(earned(60, { maxBalance: points(100) })).figures).toMatchObject({
      active: 100,
    });
  });

  test('a credit first fills the hole of a negative balance', () => {
    const story = given(spent(50, { allowNegative: true }), earned(80));
    expect(story.figures).toEqual({ active: 30, earned: 80, spent: 50 });
    expect(story.lots).toEqual({ 2: 30 });
  });
});

describe('spend', () => {
  test('takes from the oldest lot first', () => {
    const story = given(earned(30), earned(30), spent(40));
    expect(story.last.amount).toBe(points(-40));
    expect(story.lots).toEqual({ 2: 20 });
  });

  test('never touches pending points', () => {
    const story = given(earned(100, { pendingDays: 1 }));
    expect(reasonOf(() => story.when(spent(1)))).toBe('insufficient_balance');
  });

  test('below zero only where the wallet type allows it', () => {
    expect(reasonOf(() => given(earned(10), spent(11)))).toBe('insufficient_balance');
    const story = given(earned(10), spent(11, { allowNegative: true }));
    expect(story.figures).toEqual({ active: -1, earned: 10, spent: 11 });
  });
});

describe('adjust', () => {
  test('up counts as earned, down as spent', () => {
    expect(given(adjusted(10)).figures).toEqual({ active: 10, earned: 10 });
    expect(given(adjusted(10), adjusted(-4)).figures).toEqual({ active: 6, earned: 10, spent: 4 });
  });

  test('up is capped like an earn, down refused like a spend', () => {
    expect(given(adjusted(10, { maxBalance: points(7) })).last.metadata).toEqual({
      requested_amount: 10,
    });
    expect(reasonOf(() => given(adjusted(-1)))).toBe('insufficient_balance');
  });
});

describe('holds', () => {
  test('a lock moves active points aside and lasts 7 days unless the command says otherwise', () => {
    const story = given(earned(100), locked(60));
    expect(story.last).toMatchObject({ type: 'lock', status: 'locked', amount: points(-60) });
    expect(story.figures).toEqual({ active: 40, locked: 60, earned: 100 });
    expect(story.last.expiresAt).toBe(T0 + 60_000 + 7 * DAY);
  });

  test('a lock never goes below zero, even where spends may', () => {
    expect(reasonOf(() => given(earned(10), locked(11)))).toBe('insufficient_balance');
  });

  test('release gives the points back to their lots', () => {
    const story = given(earned(30), earned(30), locked(40), released(3));
    expect(story.lots).toEqual({ 1: 30, 2: 30 });
    expect(story.figures).toEqual({ active: 60, earned: 60 });
    expect(story.last.marks).toEqual([{ entryId: entryId(3), status: 'cancelled' }]);
  });

  test('released points fill the hole of a balance that went below zero meanwhile', () => {
    const story = given(earned(50), locked(50), spent(20, { allowNegative: true }), released(2));
    expect(story.figures).toEqual({ active: 30, earned: 50, spent: 20 });
    expect(story.lots).toEqual({ 1: 30 });
  });

  test('a partial capture spends the oldest of what is held; the rest is due for release at once', () => {
    const story = given(earned(30), earned(30), locked(50), captured(3, 35));
    expect(story.last).toMatchObject({ type: 'spend', amount: points(-35) });
    expect(story.figures).toEqual({ active: 10, locked: 15, earned: 60, spent: 35 });
    const after = story.when(settled);
    expect(after.lots).toEqual({ 2: 25 });
    expect(after.figures).toEqual({ active: 25, earned: 60, spent: 35 });
  });

  test('of several, one is released or captured and the others stay', () => {
    const story = given(earned(60), locked(10), locked(20), locked(30));
    const left = story.when(released(3)).when(captured(4));
    expect(left.wallet.holds.map(({ id }) => id)).toEqual([entryId(2)]);
    expect(left.figures).toEqual({ active: 20, locked: 10, earned: 60, spent: 30 });
  });

  test('what is no longer held can be neither released nor captured', () => {
    const story = given(earned(30), locked(30), captured(2));
    expect(reasonOf(() => story.when(released(2)))).toBe('no_longer_held');
    expect(reasonOf(() => story.when(captured(2)))).toBe('no_longer_held');
  });

  test('more than what is held cannot be captured', () => {
    expect(reasonOf(() => given(earned(30), locked(20), captured(2, 21)))).toBe(
      'capture_too_large',
    );
  });

  test('a hold that expires is released and its entry marked expired', () => {
    const story = given(earned(30), locked(20, 60)).later(60_000).when(settled);
    expect(story.figures).toEqual({ active: 30, earned: 30 });
    expect(story.last.marks).toEqual([{ entryId: entryId(2), status: 'expired' }]);
  });
});

describe('what happens by itself', () => {
  test('pending points mature once, keep their lot and its expiry', () => {
    const story = given(earned(40, { pendingDays: 1, expiryDays: 2 }))
      .later(DAY)
      .when(settled);
    expect(story.last).toMatchObject({
      type: 'unlock',
      sourceType: 'maturation',
      sourceId: entryId(1),
    });
    expect(story.figures).toEqual({ active: 40, earned: 40 });
    expect(settle(story.wallet, story.now)).toBeNull();
    expect(nextDueAt(story.wallet)).toBe(T0 + 3 * DAY);
  });

  test('what is left of a lot expires', () => {
    const story = given(earned(40, { expiryDays: 2 }), spent(15))
      .later(2 * DAY)
      .when(settled);
    expect(story.last).toMatchObject({ type: 'expire', amount: points(-25) });
    expect(story.figures).toEqual({ earned: 40, spent: 15, expired: 25 });
  });

  test('the next thing is the earliest of all, and of equals a hold, then the oldest lot', () => {
    const anyExpiry = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(fc.array(anyExpiry), fc.array(anyExpiry), (lots, holds) => {
        const lot = { madeAt: 0, maturesAt: null, remaining: points(1) };
        const wallet = {
          ...EMPTY_WALLET,
          lots: lots.map((expiresAt, at) => ({ ...lot, id: `lot-${at}`, sequence: at, expiresAt })),
          holds: holds.map((expiresAt, at) => ({
            id: `hold-${at}`,
            amount: points(1),
            expiresAt,
            parts: [],
            outcome: 'expired' as const,
          })),
        };
        const all = [...wallet.holds, ...wallet.lots];
        const times = all.map(({ expiresAt }) => expiresAt);
        const next = times.length === 0 ? null : Math.min(...times);
        expect(nextDueAt(wallet)).toBe(next);
        const first = all.find(({ expiresAt }) => expiresAt === next);
        const operation = settle(wallet, 9)?.operation;
        expect(operation?.split(':')[1]).toBe(first?.id);
      }),
    );
  });

  test('what never ends is never due', () => {
    expect(nextDueAt(given(earned(10)).wallet)).toBeNull();
  });

  test('what was due earlier happens first, however late it is done', () => {
    const late = given(
      earned(10, { pendingDays: 3 }),
      earned(20, { expiryDays: 2 }),
      earned(5),
      locked(5, 60),
    ).later(30 * DAY);
    const types = [late.when(settled)];
    types.push(types[0]!.when(settled), types[0]!.when(settled).when(settled));
    expect(types.map((story) => story.last.type)).toEqual(['unlock', 'expire', 'unlock']);
  });
});

describe('cancel', () => {
  test('an earn gives up what is left of its lot, no more', () => {
    const story = given(earned(50), spent(20));
    const after = story.when(cancelled(1, story.drafts[0]!));
    expect(after.last).toMatchObject({ type: 'cancel', amount: points(-30) });
    expect(after.figures).toEqual({ earned: 20, spent: 20 });
    expect(reasonOf(() => after.when(cancelled(1, story.drafts[0]!)))).toBe('nothing_left');
  });

  test('an earn gives up no more than refunds of its purchase left of it, though its lot holds more', () => {
    const story = given(earned(50));
    const after = story.when(cancelled(1, story.drafts[0]!, points(20)));
    expect(after.last).toMatchObject({ amount: points(-20), consumed: [{ amount: points(20) }] });
    expect(after.lots).toEqual({ 1: 30 });
    expect(reasonOf(() => story.when(cancelled(1, story.drafts[0]!, points(0))))).toBe(
      'nothing_left',
    );
  });

  test('a pending earn gives up its pending points', () => {
    const story = given(earned(50, { pendingDays: 3 }));
    expect(story.when(cancelled(1, story.drafts[0]!)).figures).toEqual({});
  });

  test('a spend goes back to the lots it came from, with their old expiry', () => {
    const story = given(earned(50, { expiryDays: 5 }), earned(50), spent(70));
    const after = story.when(cancelled(3, story.drafts[2]!));
    expect(after.lots).toEqual({ 1: 50, 2: 50 });
    expect(after.wallet.lots[0]!.expiresAt).toBe(T0 + 5 * DAY);
    expect(after.figures).toEqual({ active: 100, earned: 100 });
  });

  test('a refund to a lot that has expired meanwhile expires at the next run', () => {
    const story = given(earned(50, { expiryDays: 5 }), spent(50)).later(6 * DAY);
    const refunded = story.when(cancelled(2, story.drafts[1]!));
    expect(refunded.figures).toEqual({ active: 50, earned: 50 });
    expect(refunded.when(settled).figures).toEqual({ earned: 50, expired: 50 });
  });

  test('what had gone below zero comes back as a lot of the refund once the hole is filled', () => {
    const story = given(earned(60), spent(100, { allowNegative: true }), earned(40));
    const after = story.when(cancelled(2, story.drafts[1]!));
    expect(after.figures).toEqual({ active: 100, earned: 100 });
    expect(after.lots).toEqual({ 1: 60, 4: 40 });
  });

  test('a captured hold is a spend like any other', () => {
    const story = given(earned(60), locked(60), captured(2));
    expect(story.when(cancelled(3, story.drafts[2]!)).lots).toEqual({ 1: 60 });
  });

  test('an adjust is undone like an earn or a spend', () => {
    const story = given(adjusted(60), adjusted(-20));
    const refunded = story.when(cancelled(2, story.drafts[1]!));
    expect(refunded.figures).toEqual({ active: 60, earned: 60 });
    expect(refunded.when(cancelled(1, story.drafts[0]!)).figures).toEqual({});
  });

  test('an earn gives up its own lot, not an older one', () => {
    const story = given(earned(50), earned(30));
    expect(story.when(cancelled(2, story.drafts[1]!)).lots).toEqual({ 1: 50 });
  });

  test('a refund that its lots take whole makes no lot of its own', () => {
    const story = given(earned(50), spent(20));
    const refund = story.when(cancelled(2, story.drafts[1]!)).last;
    expect(refund.lots.map(({ lot }) => lot.id)).toEqual([entryId(1)]);
  });

  test('other entries cannot be cancelled', () => {
    const story = given(earned(60), locked(60));
    expect(reasonOf(() => story.when(cancelled(2, story.drafts[1]!)))).toBe('not_cancellable');
  });
});

describe('refund of a purchase', () => {
  const take =
    (due: number, more: Partial<Rules> = {}): Step =>
    (wallet) =>
      takeBack(
        { wallet, rules: rules(more) },
        { earnId: entryId(1), left: points(100), due: points(due) },
        NOTE,
      )!;

  test('takes pending points first', () => {
    expect(given(earned(100, { pendingDays: 1 }), take(40)).figures).toEqual({
      pending: 60,
      earned: 60,
    });
  });

  test('then what is left of the lot, then other active points, oldest first', () => {
    const story = given(earned(100), earned(30), earned(30), spent(80), take(60));
    expect(story.last.amount).toBe(points(-60));
    expect(story.lots).toEqual({ 3: 20 });
  });

  test('then below zero where allowed; else what is missing is a shortfall', () => {
    const spentAll = given(earned(100), spent(90));
    expect(spentAll.when(take(60)).figures).toEqual({ earned: 90, spent: 90 });
    expect(spentAll.when(take(60, { allowNegative: true })).figures).toEqual({
      active: -50,
      earned: 40,
      spent: 90,
    });
  });

  test('takes nothing where there is nothing', () => {
    const wallet = given(earned(100), spent(100)).wallet;
    const command = { earnId: entryId(1), left: points(100), due: points(10) };
    expect(takeBack({ wallet, rules: RULES }, command, NOTE)).toBeNull();
  });

  test('the own lot gives first, however old the others are', () => {
    const story = given(earned(30), earned(100));
    const command = { earnId: entryId(2), left: points(100), due: points(40) };
    const after = story.when((wallet) => takeBack({ wallet, rules: RULES }, command, NOTE)!);
    expect(after.lots).toEqual({ 1: 30, 2: 60 });
  });

  test('asks where a merged wallet went, and takes nothing from one whose client was deleted', () => {
    const allowed = rules({ allowNegative: true });
    const command = { earnId: entryId(1), left: points(100), due: points(40) };
    const story = given(earned(100));
    const merged = story.when((wallet) => merge(wallet, EMPTY_WALLET, NAMES)[0]![0]).wallet;
    expect(reasonOf(() => takeBack({ wallet: merged, rules: allowed }, command, NOTE))).toBe(
      'wallet_closed',
    );
    const deleted = story.when((wallet) => close(wallet, 'client_deleted')!).wallet;
    expect(takeBack({ wallet: deleted, rules: allowed }, command, NOTE)).toBeNull();
  });

  test('shares of one purchase add up to exactly what it earned', () => {
    const amount = points(0.0007);
    const shares = [0, 333, 666].map((before, at) =>
      shareOf(amount, { before, ratio: at === 2 ? 334 : 333, whole: 1_000 }),
    );
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount);
  });
});

describe('transfer', () => {
  const send =
    (amount: number): Step =>
    (wallet) =>
      transferOut({ wallet, rules: RULES }, { ...NOTE, amount: points(amount) });

  test('the lots keep their expiry and are used up in their order', () => {
    const from = given(earned(30, { expiryDays: 3 }), earned(30), send(40));
    const to = given(earned(5), (wallet, moment) =>
      transferIn({ wallet, rules: RULES }, { parts: from.last.consumed, note: NOTE }, moment),
    );
    expect(from.figures).toEqual({ active: 20, earned: 60, moved: -40 });
    expect(to.figures).toEqual({ active: 45, earned: 5, moved: 40 });
    expect(to.lots).toEqual({ 1: 5, '2.0000': 30, '2.0001': 10 });
    expect(to.last.expiresAt).toBe(T0 + 3 * DAY);
  });

  test('fits to the last point under the cap of the receiver', () => {
    const from = given(earned(30), send(30));
    const to = given((wallet, moment) =>
      transferIn(
        { wallet, rules: rules({ maxBalance: points(30) }) },
        { parts: from.last.consumed, note: NOTE },
        moment,
      ),
    );
    expect(to.figures).toEqual({ active: 30, moved: 30 });
  });

  test('what does not fit under the cap of the receiver is refused whole', () => {
    const from = given(earned(30), send(30));
    const receive: Step = (wallet, moment) =>
      transferIn(
        { wallet, rules: rules({ maxBalance: points(29) }) },
        { parts: from.last.consumed, note: NOTE },
        moment,
      );
    expect(reasonOf(() => given(receive))).toBe('max_balance');
    expect(() => given(receive)).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({
            field: 'amount',
            message: expect.stringMatching(/max_balance of the receiving wallet$/),
          }),
        ],
      }),
    );
  });

  test('never below zero, even where spends may', () => {
    const step: Step = (wallet) =>
      transferOut(
        { wallet, rules: rules({ allowNegative: true }) },
        { ...NOTE, amount: points(1) },
      );
    expect(reasonOf(() => given(step))).toBe('insufficient_balance');
  });
});

describe('merge', () => {
  const into = (target: Step[], source: Step[]) => {
    const from = given(...source);
    let [out, to] = [from, given(...target)];
    for (const [leaving, arriving] of merge(from.wallet, to.wallet, NAMES)) {
      const before = { out, to };
      out = out.when(() => leaving);
      to = to.when(() => arriving);
      assertSound(before.out.wallet, leaving, out.wallet);
      assertSound(before.to.wallet, arriving, to.wallet);
    }
    return { out, to };
  };

  test('balances, lots, holds and totals move; the source ends at zero and closed', () => {
    const { out, to } = into(
      [earned(10)],
      [earned(100), earned(40, { pendingDays: 1 }), spent(20), locked(30)],
    );
    expect(out.figures).toEqual({});
    expect(out.wallet).toMatchObject({ lots: [], holds: [], closing: { successor: 'successor' } });
    expect(to.figures).toEqual({ active: 60, pending: 40, locked: 30, earned: 150, spent: 20 });
    expect(reasonOf(() => out.when(earned(1)))).toBe('wallet_closed');
  });

  test("the target's hole is filled by the source's oldest points", () => {
    const { to } = into([spent(25, { allowNegative: true })], [earned(20), earned(20)]);
    expect(to.figures).toEqual({ active: 15, earned: 40, spent: 25 });
    expect(to.lots).toEqual({ 2: 15 });
  });

  test("the source's hole is filled by the target's oldest points", () => {
    const { to } = into([earned(20), earned(20)], [spent(25, { allowNegative: true })]);
    expect(to.figures).toEqual({ active: 15, earned: 40, spent: 25 });
    expect(to.lots).toEqual({ 2: 15 });
  });
});

describe('a refusal', () => {
  test.each([
    ['an overdraft', 'insufficient_balance', () => given(spent(1))],
    ['an earn without room', 'max_balance', () => given(earned(1, { maxBalance: points(0) }))],
  ])('of %s names the amount and says why', (_what, reason, work) => {
    expect(work).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ field: 'amount', extensions: { reason } })],
      }),
    );
  });
});

describe('applying an entry', () => {
  const story = given(earned(60), locked(10));
  const idle: Draft = { ...story.last, change: {}, lots: [], holds: [] };

  test('copies neither lots nor holds that it does not touch', () => {
    const after = applyEffect(story.wallet, idle, story.now);
    expect(after.lots).toBe(story.wallet.lots);
    expect(after.holds).toBe(story.wallet.holds);
  });

  test('never turns back the time of a wallet', () => {
    expect(applyEffect(story.wallet, idle, T0 - DAY).lastAt).toBe(story.wallet.lastAt);
    expect(applyEffect(story.wallet, idle, T0 + DAY).lastAt).toBe(T0 + DAY);
  });

  test('leaves a closed wallet closed', () => {
    const closed = { ...story.wallet, closing: { successor: 'successor' } };
    expect(applyEffect(closed, idle, T0).closing).toEqual({ successor: 'successor' });
  });
});

describe('close', () => {
  test('releases holds, cancels what is pending, adjusts the rest to zero and ends there', () => {
    let story = given(earned(100), earned(40, { pendingDays: 1 }), spent(20), locked(30));
    for (
      let draft = close(story.wallet, 'client_deleted');
      draft;
      draft = close(story.wallet, 'client_deleted')
    )
      story = story.when(() => draft!);
    expect(story.drafts.slice(4).map(({ type }) => type)).toEqual(['unlock', 'cancel', 'adjust']);
    expect(story.last).toMatchObject({ amount: points(-80), sourceType: 'client_deleted' });
    expect(story.wallet.figures).toMatchObject({ active: 0, pending: 0, locked: 0 });
    expect(reasonOf(() => story.when(earned(1)))).toBe('wallet_closed');
  });

  test('a negative balance is closed too', () => {
    const story = given(spent(20, { allowNegative: true }));
    expect(story.when((wallet) => close(wallet, 'client_deleted')!).figures).toEqual({
      earned: 20,
      spent: 20,
    });
  });
});
