import { toUnits } from '@laurel/values/amount';
import fc from 'fast-check';
import { type Activity, addOnDay, NO_ACTIVITY, NOTHING, type Tally } from './activity';
import { evaluate, type Facts } from './evaluate';
import { compareStandings, type Programme, type Rung } from './programme';

const now = new Date('2026-05-04T10:00:00.000Z');
const today = '2026-05-04';
const longAgo = '2026-01-01';

const earned = (points: number, code = 'points'): Tally => ({
  ...NOTHING,
  earned: { [code]: toUnits(points) },
});
const bought = (amount: number): Tally => ({
  ...NOTHING,
  spending: toUnits(amount),
  transactions: 1,
});
const rung = (id: string, sort_order: number, total_earned?: number): Rung => ({
  id,
  sort_order,
  kind: 'auto',
  condition_values: total_earned === undefined ? {} : { total_earned },
});
const vip: Rung = { id: 'vip', sort_order: 9, kind: 'exclusive', condition_values: {} };
const tiers = [rung('bronze', 0), rung('silver', 1, 100), rung('gold', 2, 500), vip];
const programme: Programme<Rung> = {
  active: true,
  conditions: [{ type: 'total_earned' }],
  lookbackDays: 0,
  tiers,
};
const lookingBack = { ...programme, lookbackDays: 30 };

function facts(overrides: Partial<Facts> = {}): Facts {
  return {
    eligible: true,
    assignment: null,
    tierId: null,
    lapsed: false,
    activity: NO_ACTIVITY,
    ...overrides,
  };
}
const after = (delta: Tally, day = today): Activity => addOnDay(NO_ACTIVITY, day, delta);
const assigned = (expiresAt: Date | null = null) => ({ tierId: 'vip', assignedAt: now, expiresAt });

describe('the tier due', () => {
  test.each([
    [0, 'bronze'],
    [99.9999, 'bronze'],
    [100, 'silver'],
    [499, 'silver'],
    [500, 'gold'],
  ])('%d points lead to %s', (points, tier) => {
    const verdict = evaluate(facts({ activity: after(earned(points)) }), programme, {
      mode: 'activity',
      now,
    });
    expect(verdict.tier?.id).toBe(tier);
  });

  test('asks for every condition that the tier names, and for no other', () => {
    const both: Rung = {
      ...rung('both', 1),
      condition_values: { total_earned: 100, total_spending: 50 },
    };
    const withBoth: Programme<Rung> = {
      ...programme,
      conditions: [{ type: 'total_earned' }, { type: 'total_spending' }],
      tiers: [{ ...rung('count', 0), condition_values: { transaction_count: 99 } }, both],
    };
    const tierAfter = (...deltas: Tally[]) => {
      const activity = deltas.reduce((sum, delta) => addOnDay(sum, today, delta), NO_ACTIVITY);
      return evaluate(facts({ activity }), withBoth, { mode: 'activity', now }).tier?.id;
    };
    // transaction_count is no condition of the set, so that naming it asks for nothing.
    expect(tierAfter(earned(100))).toBe('count');
    expect(tierAfter(bought(50))).toBe('count');
    expect(tierAfter(earned(100), bought(50))).toBe('both');
  });

  test('counts the points of the wallet type that a condition names', () => {
    const ofStars: Programme<Rung> = {
      ...programme,
      conditions: [{ type: 'total_earned', wallet_type_code: 'stars' }],
    };
    const tierAfter = (delta: Tally) =>
      evaluate(facts({ activity: after(delta) }), ofStars, { mode: 'activity', now }).tier?.id;
    expect(tierAfter(earned(500))).toBe('bronze');
    expect(tierAfter(earned(500, 'stars'))).toBe('gold');
  });

  test('is none for a client who is not eligible, and where there is no set', () => {
    const rich = facts({ activity: after(earned(500)), tierId: 'gold' });
    expect(
      evaluate({ ...rich, eligible: false }, programme, { mode: 'activity', now }).tier,
    ).toBeNull();
    expect(evaluate(rich, null, { mode: 'review', now }).tier).toBeNull();
  });

  test('stays as it is while the set rests, but for what is no longer there', () => {
    const resting = { ...programme, active: false };
    const rich = facts({ activity: after(earned(500)), tierId: 'bronze' });
    expect(evaluate(rich, resting, { mode: 'review', now }).tier?.id).toBe('bronze');
    expect(evaluate({ ...rich, tierId: null }, resting, { mode: 'review', now }).tier).toBeNull();
    expect(evaluate({ ...rich, tierId: 'gone' }, resting, { mode: 'review', now }).tier?.id).toBe(
      'gold',
    );
  });
});

describe('whether a tier is entered', () => {
  const tierAfter = (condition_values: Rung['condition_values'], delta: Tally) => {
    const one = { ...programme, tiers: [{ ...rung('one', 0), condition_values }] };
    return evaluate(facts({ activity: after(delta) }), one, { mode: 'activity', now }).tier?.id;
  };

  test('a threshold of 0 is one that can be missed, as by who has refunded more than they bought', () => {
    const bySpending = {
      ...programme,
      conditions: [{ type: 'total_spending' as const }],
      tiers: [{ ...rung('one', 0), condition_values: { total_spending: 0 } }],
    };
    const tierOf = (delta: Tally) =>
      evaluate(facts({ activity: after(delta) }), bySpending, { mode: 'activity', now }).tier?.id;
    expect(tierOf(NOTHING)).toBe('one');
    expect(tierOf({ ...NOTHING, spending: toUnits(-1) })).toBeUndefined();
  });

  test('a member below the lowest tier is in none', () => {
    expect(tierAfter({ total_earned: 10 }, earned(9))).toBeUndefined();
    expect(tierAfter({ total_earned: 10 }, earned(10))).toBe('one');
  });

  test('an exclusive one never is by itself', () => {
    const only = { ...programme, tiers: [vip] };
    expect(evaluate(facts(), only, { mode: 'review', now }).tier).toBeNull();
  });
});

describe('falling', () => {
  test('is for a review only', () => {
    const poor = facts({ activity: after(earned(100)), tierId: 'gold' });
    const verdict = evaluate(poor, programme, { mode: 'activity', now });
    expect(verdict).toMatchObject({ tier: { id: 'gold' }, dueAt: now });
    expect(evaluate(poor, programme, { mode: 'review', now })).toMatchObject({
      tier: { id: 'silver' },
      dueAt: null,
    });
  });

  test('goes by the window, rising by the better of window and lifetime', () => {
    const once = facts({ activity: after(earned(500), longAgo) });
    expect(evaluate(once, lookingBack, { mode: 'activity', now }).tier?.id).toBe('gold');
    const verdict = evaluate({ ...once, tierId: 'gold' }, lookingBack, { mode: 'review', now });
    expect(verdict).toMatchObject({ tier: { id: 'bronze' }, lapsed: true });
    const settled = { ...once, tierId: 'bronze', lapsed: true };
    expect(evaluate(settled, lookingBack, { mode: 'review', now }).tier?.id).toBe('bronze');
    expect(evaluate(settled, lookingBack, { mode: 'activity', now }).tier?.id).toBe('gold');
  });

  test('a window in which a refund no longer counts may be the better one', () => {
    const refunded = addOnDay(after(bought(100), today), longAgo, {
      ...NOTHING,
      spending: toUnits(-50),
    });
    const bySpending: Programme<Rung> = {
      ...lookingBack,
      conditions: [{ type: 'total_spending' }],
      tiers: [{ ...rung('gold', 0), condition_values: { total_spending: 100 } }],
    };
    const verdict = evaluate(facts({ activity: refunded }), bySpending, { mode: 'activity', now });
    expect(verdict.tier?.id).toBe('gold');
  });

  test('is looked for when the oldest day leaves the window', () => {
    const activity = addOnDay(after(earned(400), '2026-04-20'), today, earned(100));
    const verdict = evaluate(facts({ activity, tierId: 'gold' }), lookingBack, {
      mode: 'review',
      now,
    });
    expect(verdict.dueAt).toEqual(new Date('2026-05-21T00:00:00.000Z'));
    const then = evaluate(facts({ activity, tierId: 'gold' }), lookingBack, {
      mode: 'review',
      now: verdict.dueAt!,
    });
    expect(then.tier?.id).toBe('silver');
  });
});

describe('what follows a tier that is gone, or an assignment that ended', () => {
  const once = addOnDay(after(earned(500), longAgo), today, earned(100));
  const fallen = (overrides: Partial<Facts>) => facts({ activity: once, ...overrides });
  const review = (given: Facts, rules = lookingBack) =>
    evaluate(given, rules, { mode: 'review', now });

  test.each(['gone', 'vip'])('gives back nothing that a review took (%s)', (tierId) => {
    expect(review(fallen({ tierId, lapsed: true }))).toMatchObject({
      tier: { id: 'silver' },
      lapsed: true,
      dueAt: new Date('2026-06-04T00:00:00.000Z'),
    });
  });

  test('is what the next review would leave, where none has looked yet', () => {
    expect(review(fallen({ tierId: 'vip' }))).toMatchObject({
      tier: { id: 'silver' },
      lapsed: true,
    });
  });

  test('is no lapse where the window holds as much as the whole of a life is enough for', () => {
    const busy = fallen({ tierId: 'vip', activity: after(earned(500)) });
    expect(review(busy)).toMatchObject({ tier: { id: 'gold' }, lapsed: false });
  });

  test('is a lapse still where the whole of a life is no longer enough for more', () => {
    const raised = { ...lookingBack, tiers: [rung('bronze', 0), rung('gold', 2, 5_000)] };
    const verdict = review(fallen({ tierId: 'silver', lapsed: true }), raised);
    expect(verdict).toMatchObject({ tier: { id: 'bronze' }, lapsed: true });
    expect(review(fallen({ tierId: 'bronze', lapsed: verdict.lapsed })).tier?.id).toBe('silver');
  });

  test('goes by the better of lifetime and window where the client did something meanwhile', () => {
    const verdict = evaluate(fallen({ tierId: 'vip', lapsed: true }), lookingBack, {
      mode: 'activity',
      now,
    });
    expect(verdict).toMatchObject({ tier: { id: 'gold' }, lapsed: false, dueAt: now });
  });

  test('goes by the whole of a life while the set rests, but for what a review took before', () => {
    const resting = { ...lookingBack, active: false };
    expect(review(fallen({ tierId: 'vip' }), resting)).toMatchObject({
      tier: { id: 'gold' },
      lapsed: false,
    });
    expect(review(fallen({ tierId: 'vip', lapsed: true }), resting)).toMatchObject({
      tier: { id: 'silver' },
      lapsed: true,
    });
  });
});

describe('what a decision leaves behind', () => {
  const rich = after(earned(500));

  test('is nothing to look for again where there is no tier, no window and nothing to lose', () => {
    expect(evaluate(facts({ activity: rich }), programme, { mode: 'review', now })).toEqual({
      tier: tiers[2],
      assignment: null,
      lapsed: false,
      dueAt: null,
    });
    const empty = { ...lookingBack, tiers: [vip] };
    expect(evaluate(facts({ activity: rich }), empty, { mode: 'review', now }).dueAt).toBeNull();
    expect(evaluate(facts(), lookingBack, { mode: 'review', now }).dueAt).toBeNull();
  });

  test('is a lapse that was known, where nothing was decided', () => {
    const lapsed = facts({ lapsed: true, tierId: 'bronze', activity: rich });
    const resting = { ...programme, active: false };
    for (const verdict of [
      evaluate({ ...lapsed, eligible: false }, programme, { mode: 'review', now }),
      evaluate(lapsed, null, { mode: 'review', now }),
      evaluate(lapsed, resting, { mode: 'review', now }),
      evaluate({ ...lapsed, assignment: assigned() }, programme, { mode: 'review', now }),
    ])
      expect(verdict).toMatchObject({ lapsed: true, dueAt: null });
  });

  test('is no lapse where the client did something', () => {
    const lapsed = facts({ lapsed: true, tierId: 'bronze', activity: rich });
    expect(evaluate(lapsed, programme, { mode: 'activity', now }).lapsed).toBe(false);
    const fallen = { ...lapsed, tierId: 'gone' };
    expect(evaluate(fallen, programme, { mode: 'activity', now }).lapsed).toBe(false);
  });

  test('is a lapse still where rules alone did something, by which the client rises as far as the window carries', () => {
    const back = addOnDay(after(earned(500), longAgo), today, earned(100));
    const lapsed = facts({ lapsed: true, tierId: 'bronze', activity: back });
    const consequence = { mode: 'consequence', now } as const;
    expect(evaluate(lapsed, lookingBack, consequence)).toMatchObject({
      tier: { id: 'silver' },
      lapsed: true,
      dueAt: new Date('2026-06-04T00:00:00.000Z'),
    });
    const standing = { ...lapsed, lapsed: false };
    expect(evaluate(standing, lookingBack, consequence)).toMatchObject({
      tier: { id: 'gold' },
      lapsed: false,
    });
    expect(evaluate({ ...lapsed, tierId: 'gold' }, lookingBack, consequence).tier?.id).toBe('gold');
  });

  test('is a lapse only where the whole of a life would have been enough', () => {
    const poor = facts({ tierId: 'gold', activity: after(earned(100), longAgo) });
    const verdict = evaluate(poor, lookingBack, { mode: 'review', now });
    expect(verdict).toMatchObject({ tier: { id: 'bronze' }, lapsed: true });
    const never = facts({ tierId: 'gold', activity: after(earned(99), longAgo) });
    expect(evaluate(never, lookingBack, { mode: 'review', now })).toMatchObject({
      tier: { id: 'bronze' },
      lapsed: false,
    });
  });

  test('a lapsed client rises by a review as far as the window carries, and stays lapsed', () => {
    const back = addOnDay(after(earned(500), longAgo), today, earned(100));
    const lapsed = facts({ lapsed: true, tierId: 'bronze', activity: back });
    expect(evaluate(lapsed, lookingBack, { mode: 'review', now })).toMatchObject({
      tier: { id: 'silver' },
      lapsed: true,
    });
    expect(
      evaluate({ ...lapsed, lapsed: false }, lookingBack, { mode: 'review', now }),
    ).toMatchObject({
      tier: { id: 'gold' },
      lapsed: false,
      dueAt: now,
    });
  });

  test('who did not lapse rises by a review to what the whole of a life is enough for', () => {
    const once = facts({ tierId: 'bronze', activity: after(earned(500), longAgo) });
    expect(evaluate(once, lookingBack, { mode: 'review', now })).toMatchObject({
      tier: { id: 'gold' },
      lapsed: false,
    });
  });

  test('is no review while the set rests, even of what had to be replaced', () => {
    const fallen = facts({ tierId: 'gone', activity: rich });
    const resting = { ...lookingBack, active: false };
    expect(evaluate(fallen, resting, { mode: 'review', now })).toMatchObject({
      tier: { id: 'gold' },
      dueAt: null,
    });
  });
});

describe('an assignment', () => {
  test('holds only a tier that is exclusive, and only where there is a set', () => {
    const toGold = { ...assigned(), tierId: 'gold' };
    const held = facts({ assignment: toGold });
    expect(evaluate(held, programme, { mode: 'activity', now })).toMatchObject({
      tier: { id: 'bronze' },
      assignment: null,
    });
    expect(
      evaluate(facts({ assignment: assigned() }), null, { mode: 'activity', now }),
    ).toMatchObject({
      tier: null,
      assignment: null,
    });
  });

  test('that ended leaves nothing of the tier it gave', () => {
    const held = facts({ tierId: 'vip' });
    for (const mode of ['activity', 'review'] as const)
      expect(evaluate(held, programme, { mode, now }).tier?.id).toBe('bronze');
  });

  test('outranks auto tiers until its time is up; then the tier due follows', () => {
    const end = new Date(now.getTime() + 1_000);
    const held = facts({
      activity: after(earned(500)),
      tierId: 'vip',
      assignment: assigned(end),
    });
    expect(evaluate(held, programme, { mode: 'review', now }).tier?.id).toBe('vip');
    expect(evaluate(held, programme, { mode: 'review', now: end })).toMatchObject({
      tier: { id: 'gold' },
      assignment: null,
    });
  });

  test('waits while its client is not enrolled, and ends with its tier', () => {
    const held = facts({ tierId: 'vip', assignment: assigned() });
    const away = evaluate({ ...held, eligible: false }, programme, { mode: 'activity', now });
    expect(away).toMatchObject({ tier: null, assignment: assigned() });
    const without = { ...programme, tiers: tiers.filter(({ id }) => id !== 'vip') };
    expect(evaluate(held, without, { mode: 'activity', now })).toMatchObject({
      tier: { id: 'bronze' },
      assignment: null,
    });
  });
});

const anyTiers = fc
  .uniqueArray(fc.nat(2_000), { maxLength: 6 })
  .map((thresholds) =>
    thresholds.map((threshold, index) => rung(`t${index}`, index % 4, threshold)),
  );
const anyProgramme = fc.record({ tiers: anyTiers, lookbackDays: fc.constantFrom(0, 1, 30) }).map(
  (fields): Programme<Rung> => ({
    ...programme,
    ...fields,
    tiers: [...fields.tiers, vip].sort((a, b) => compareStandings(a, b)),
  }),
);
const anyDay = fc.constantFrom(today, '2026-05-03', '2026-04-20', longAgo);
const anyActivity = fc
  .array(fc.tuple(anyDay, fc.nat(800)), { maxLength: 6 })
  .map((days) =>
    days.reduce((sum, [day, points]) => addOnDay(sum, day, earned(points)), NO_ACTIVITY),
  );
const anyMode = fc.constantFrom('activity' as const, 'consequence' as const, 'review' as const);
const anyCase = fc.record({
  rules: anyProgramme,
  activity: anyActivity,
  held: fc.nat(7),
  lapsed: fc.boolean(),
  mode: anyMode,
});
const heldIn = ({ tiers: all }: Programme<Rung>, held: number) =>
  all.filter(({ kind }) => kind === 'auto')[held]?.id ?? null;

describe('whatever the rules', () => {
  test('more points never lead to a lower tier', () => {
    fc.assert(
      fc.property(anyCase, anyDay, fc.integer({ min: 1, max: 900 }), (given, day, points) => {
        const { rules, lapsed, mode } = given;
        const before = facts({
          activity: given.activity,
          tierId: heldIn(rules, given.held),
          lapsed,
        });
        const more = { ...before, activity: addOnDay(before.activity, day, earned(points)) };
        const [less, richer] = [before, more].map(
          (one) => evaluate(one, rules, { mode, now }).tier,
        );
        expect(compareStandings(richer!, less!)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('activity never demotes, and a review settles in one step', () => {
    fc.assert(
      fc.property(anyCase, ({ rules, activity, held, lapsed }) => {
        const given = facts({ activity, tierId: heldIn(rules, held), lapsed });
        const current = rules.tiers.find(({ id }) => id === given.tierId) ?? null;
        for (const mode of ['activity', 'consequence'] as const) {
          const risen = evaluate(given, rules, { mode, now });
          expect(compareStandings(risen.tier, current)).toBeGreaterThanOrEqual(0);
        }
        const first = evaluate(given, rules, { mode: 'review', now });
        const next = { ...given, tierId: first.tier?.id ?? null, lapsed: first.lapsed };
        const second = evaluate(next, rules, { mode: 'review', now });
        if (compareStandings(first.tier, current) <= 0) expect(second.tier).toEqual(first.tier);
        const third = { ...next, tierId: second.tier?.id ?? null, lapsed: second.lapsed };
        expect(evaluate(third, rules, { mode: 'review', now }).tier).toEqual(second.tier);
      }),
    );
  });

  test('a review takes nothing that a fall gave', () => {
    fc.assert(
      fc.property(anyCase, fc.constantFrom('gone', 'vip'), ({ rules, ...given }, tierId) => {
        const { activity, lapsed } = given;
        const first = evaluate(facts({ activity, tierId, lapsed }), rules, { mode: 'review', now });
        const next = facts({
          activity,
          tierId: first.tier?.id ?? null,
          lapsed: first.lapsed,
        });
        expect(evaluate(next, rules, { mode: 'review', now }).tier).toEqual(first.tier);
      }),
    );
  });

  test('an assignment outranks everything while it lasts', () => {
    fc.assert(
      fc.property(anyCase, ({ rules, activity, held, lapsed, mode }) => {
        const given = facts({
          activity,
          lapsed,
          tierId: heldIn(rules, held),
          assignment: assigned(new Date(now.getTime() + 1)),
        });
        expect(evaluate(given, rules, { mode, now }).tier?.id).toBe('vip');
      }),
    );
  });

  test('the order in which things happened makes no difference to what they add up to', () => {
    const happenings = fc.array(fc.tuple(anyDay, fc.nat(500)), { maxLength: 8 });
    fc.assert(
      fc.property(happenings, (list) => {
        const total = (order: typeof list) =>
          order.reduce((sum, [day, points]) => addOnDay(sum, day, earned(points)), NO_ACTIVITY);
        expect(total([...list].reverse())).toEqual(total(list));
      }),
    );
  });
});
