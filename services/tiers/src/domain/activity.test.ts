import { AMOUNT_MAX, toUnits } from '@laurel/values/amount';
import fc from 'fast-check';
import {
  type Activity,
  addOnDay,
  addTallies,
  dayOf,
  leavesWindowAt,
  measure,
  mergeActivities,
  NO_ACTIVITY,
  NOTHING,
  scaled,
  since,
  type Tally,
  tallyWithin,
  windowStart,
  withoutForgottenDays,
} from './activity';

const now = new Date('2026-05-04T10:00:00.000Z');
const most = toUnits(AMOUNT_MAX);
const least = toUnits(-AMOUNT_MAX);
const one = toUnits(1);
const tally = (more: Partial<Tally>): Tally => ({ ...NOTHING, ...more });
const spending = (amount: number): Tally => tally({ spending: toUnits(amount) });

const anyTally = fc
  .record({
    earned: fc.dictionary(fc.constantFrom('points', 'stars'), fc.nat(500).map(toUnits)),
    spending: fc.integer({ min: -300, max: 300 }).map(toUnits),
    transactions: fc.nat(5),
  })
  .map((fields): Tally => ({ ...fields, earned: { ...fields.earned } }));
const anyDay = fc.constantFrom('2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04');
const anyDeeds = fc.array(fc.tuple(anyDay, anyTally), { maxLength: 8 });
const playing = (deeds: readonly (readonly [string, Tally])[]): Activity =>
  deeds.reduce((activity, [day, delta]) => addOnDay(activity, day, delta), NO_ACTIVITY);

describe('days', () => {
  test('are those of UTC', () => {
    expect(dayOf(new Date('2026-05-04T23:59:59.999Z'))).toBe('2026-05-04');
  });

  test('a window reaches into the day that lies its length before now', () => {
    expect(windowStart(now, 30)).toBe('2026-04-04');
    expect(windowStart(now, 1)).toBe('2026-05-03');
  });

  test('a day leaves a window at the very moment from which the window starts later', () => {
    for (const lookback of [1, 30, 365]) {
      const end = leavesWindowAt('2026-05-04', lookback);
      expect(windowStart(new Date(end.getTime() - 1), lookback)).toBe('2026-05-04');
      expect(windowStart(end, lookback)).toBe('2026-05-05');
    }
  });
});

describe('sums', () => {
  test('keep each wallet type apart', () => {
    const a = tally({ earned: { points: one, stars: one }, transactions: 2 });
    const b = tally({ earned: { stars: one, beans: one }, spending: one, transactions: 3 });
    expect(addTallies(a, b)).toEqual({
      earned: { points: one, stars: toUnits(2), beans: one },
      spending: one,
      transactions: 5,
    });
  });

  test('know a wallet type named like what every object has from the thing itself', () => {
    const earned = { constructor: one } as unknown as Tally['earned'];
    expect(addTallies(NOTHING, tally({ earned }))).toMatchObject({ earned: { constructor: one } });
    const condition = { type: 'total_earned', wallet_type_code: 'constructor' } as const;
    expect(measure(NOTHING, condition)).toBe(0);
  });

  test('stay at the ends of the range instead of leaving it', () => {
    const earned = (units: typeof one) => tally({ earned: { points: units } });
    expect(addTallies(earned(most), earned(one)).earned).toEqual({ points: most });
    expect(addTallies(tally({ spending: most }), spending(0.0001)).spending).toBe(most);
    expect(addTallies(tally({ spending: least }), spending(-0.0001)).spending).toBe(least);
    const almost = toUnits(AMOUNT_MAX - 1);
    expect(addTallies(tally({ spending: almost }), spending(1)).spending).toBe(most);
    const almostLeast = toUnits(1 - AMOUNT_MAX);
    expect(addTallies(tally({ spending: almostLeast }), spending(-1)).spending).toBe(least);
    expect(addTallies(tally({ spending: least }), tally({ spending: most })).spending).toBe(0);
    expect(addTallies(tally({ spending: most }), tally({ spending: least })).spending).toBe(0);
  });

  test('of days are the lifetime, and the days are there once each, oldest first', () => {
    fc.assert(
      fc.property(anyDeeds, (deeds) => {
        const { lifetime, days } = playing(deeds);
        expect(days.reduce<Tally>(addTallies, NOTHING)).toEqual(lifetime);
        const names = days.map(({ day }) => day);
        expect(names).toEqual([...new Set(deeds.map(([day]) => day))].sort());
      }),
    );
  });

  test('of two clients are those of one who did what both did', () => {
    fc.assert(
      fc.property(anyDeeds, anyDeeds, (some, others) => {
        const merged = mergeActivities(playing(some), playing(others));
        expect(merged).toEqual(playing([...some, ...others]));
      }),
    );
  });
});

describe('looking back', () => {
  const activity = playing([
    ['2026-05-01', spending(1)],
    ['2026-05-03', spending(20)],
    ['2026-05-04', spending(300)],
  ]);

  test('over no days is looking at the whole life', () => {
    const older = { ...activity, lifetime: spending(7) };
    expect(tallyWithin(older, now, 0)).toEqual(spending(7));
  });

  test.each([
    [1, 320],
    [2, 320],
    [3, 321],
  ])('over %d days counts what was done since then', (lookback, amount) => {
    expect(tallyWithin(activity, now, lookback)).toEqual(spending(amount));
  });

  test('begins with the first day itself', () => {
    expect(since(activity.days, '2026-05-03').map(({ day }) => day)).toEqual([
      '2026-05-03',
      '2026-05-04',
    ]);
  });

  test('no window reaches further than ten years: older days are forgotten, what they came to is not', () => {
    const first = windowStart(now, 3_650);
    const long = playing([
      ['2016-05-05', spending(1)],
      [first, spending(2)],
      ['2026-05-04', spending(4)],
    ]);
    expect(first).toBe('2016-05-06');
    expect(withoutForgottenDays(long, now)).toEqual({
      lifetime: spending(7),
      days: [
        { day: first, ...spending(2) },
        { day: '2026-05-04', ...spending(4) },
      ],
    });
  });

  test('forgets nothing while every day can still be reached', () => {
    const all = playing([[windowStart(now, 3_650), spending(2)]]);
    expect(withoutForgottenDays(all, now).days).toBe(all.days);
    expect(withoutForgottenDays(NO_ACTIVITY, now)).toEqual(NO_ACTIVITY);
  });
});

describe('what a condition measures', () => {
  const done = tally({
    earned: { points: toUnits(5), stars: toUnits(2) },
    spending: toUnits(30),
    transactions: 4,
  });

  test('purchases, money, points of one wallet type or of all', () => {
    expect(measure(done, { type: 'transaction_count' })).toBe(4);
    expect(measure(done, { type: 'total_spending' })).toBe(toUnits(30));
    expect(measure(done, { type: 'total_earned' })).toBe(toUnits(7));
    expect(measure(done, { type: 'total_earned', wallet_type_code: 'stars' })).toBe(toUnits(2));
    expect(measure(done, { type: 'total_earned', wallet_type_code: 'beans' })).toBe(0);
    expect(measure(NOTHING, { type: 'total_earned' })).toBe(0);
  });

  test('a threshold is in the same terms', () => {
    expect(scaled('transaction_count', 4)).toBe(4);
    expect(scaled('total_spending', 4)).toBe(toUnits(4));
    expect(scaled('total_earned', 0.5)).toBe(toUnits(0.5));
  });
});
