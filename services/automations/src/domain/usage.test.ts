import { toUnits } from '@laurel/values/amount';
import fc from 'fast-check';
import { periodOf } from './days';
import type { Limits } from './rule';
import {
  type Claim,
  limitPassed,
  limitsPassed,
  NO_USAGE,
  type Usage,
  usageReport,
  withExecution,
} from './usage';

describe('usage', () => {
  test('of more points than an amount can be counts as the highest amount, and breaks nothing', () => {
    const most = toUnits(100_000_000_000);
    const used = { rule: { points: most, executions: 1 }, client: NO_USAGE, recent: 0 };
    expect(limitPassed({ total_budget: 5 }, used, toUnits(1))).toBe('total_budget');
    expect(withExecution(used.rule, most)).toEqual({ points: most, executions: 2 });
  });

  test('never passes a limit, whatever is asked in whatever order', () => {
    const asked = fc.record({
      client: fc.integer({ min: 0, max: 2 }),
      points: fc.integer({ min: 0, max: 50_000 }),
      minutes: fc.integer({ min: 0, max: 900 }),
    });
    const bounds = fc.record({
      total_budget: fc.integer({ min: 0, max: 20 }),
      per_client_budget: fc.integer({ min: 0, max: 10 }),
      total_executions: fc.integer({ min: 0, max: 15 }),
      executions_per_client: fc.record({
        interval: fc.constantFrom('hour' as const, 'day' as const, 'week' as const),
        value: fc.integer({ min: 1, max: 3 }),
      }),
    });
    fc.assert(
      fc.property(bounds, fc.array(asked, { maxLength: 40 }), (limits: Limits, all) => {
        let time = Date.parse('2026-03-27T10:00:00.000Z');
        let total = NO_USAGE;
        const clients = new Map<number, Usage>();
        const done: { client: number; points: number; at: number }[] = [];
        const { interval, value } = limits.executions_per_client!;
        const sameTime = (client: number, at: number) => {
          const { from, until } = periodOf(interval as 'hour', new Date(at), 'Europe/Berlin');
          return done.filter(
            (one) =>
              one.client === client &&
              one.at >= from.getTime() &&
              one.at < (until?.getTime() ?? at + 1),
          );
        };
        for (const { client, points, minutes } of all) {
          time += minutes * 60_000;
          const before = clients.get(client) ?? NO_USAGE;
          const recent = sameTime(client, time).length;
          if (limitPassed(limits, { rule: total, client: before, recent }, points as never))
            continue;
          total = withExecution(total, points as never);
          clients.set(client, withExecution(before, points as never));
          done.push({ client, points, at: time });
        }
        const sum = (some: typeof done) => some.reduce((points, one) => points + one.points, 0);
        expect(done.length).toBeLessThanOrEqual(limits.total_executions!);
        expect(sum(done)).toBeLessThanOrEqual(limits.total_budget! * 10_000);
        for (const { client, at } of done) {
          const own = done.filter((one) => one.client === client);
          expect(sum(own)).toBeLessThanOrEqual(limits.per_client_budget! * 10_000);
          expect(sameTime(client, at).length).toBeLessThanOrEqual(value);
        }
      }),
    );
  });

  test('names the limit that is reached', () => {
    const used = { rule: { points: toUnits(5), executions: 3 }, client: NO_USAGE, recent: 2 };
    const passed = (limits: Limits) => limitPassed(limits, used, toUnits(1));
    expect(passed({})).toBeNull();
    expect(passed({ total_budget: 6 })).toBeNull();
    expect(passed({ total_budget: 5 })).toBe('total_budget');
    expect(passed({ per_client_budget: 0 })).toBe('per_client_budget');
    expect(passed({ total_executions: 3 })).toBe('total_executions');
    expect(passed({ total_executions: 4 })).toBeNull();
    const often = (interval: 'day' | 'lifetime', value: number) => ({
      executions_per_client: { interval, value },
    });
    expect(passed(often('day', 2))).toBe('executions_per_client');
    expect(passed(often('day', 3))).toBeNull();
    const spent = { ...used, client: { ...NO_USAGE, executions: 1 } };
    expect(limitPassed(often('lifetime', 1), spent, toUnits(0))).toBe('executions_per_client');
    expect(limitPassed(often('lifetime', 2), spent, toUnits(0))).toBeNull();
  });

  test('is reported with what remains, never below zero, and null where nothing limits', () => {
    const used = { points: toUnits(7.5), executions: 3 };
    expect(usageReport({}, used)).toEqual({
      executions: 3,
      points: 7.5,
      remaining_budget: null,
      remaining_executions: null,
    });
    expect(usageReport({ total_budget: 10.1, total_executions: 5 }, used)).toMatchObject({
      remaining_budget: 2.6,
      remaining_executions: 2,
    });
    expect(usageReport({ total_budget: 5, total_executions: 1 }, used)).toMatchObject({
      remaining_budget: 0,
      remaining_executions: 0,
    });
  });

  test('of executions that are decided on together is used up as if each were decided on after the other', () => {
    const asked = fc.record({
      ruleId: fc.constantFrom('one', 'other'),
      clientId: fc.constantFrom('a', 'b', 'c'),
      points: fc.integer({ min: 0, max: 60_000 }),
      begun: fc.integer({ min: 0, max: 300 }),
      dueDay: fc.integer({ min: 25, max: 27 }),
      counts: fc.constantFrom('begun' as const, 'due' as const),
    });
    const bounds = fc.record(
      {
        total_budget: fc.integer({ min: 0, max: 20 }),
        per_client_budget: fc.integer({ min: 0, max: 10 }),
        total_executions: fc.integer({ min: 0, max: 8 }),
        executions_per_client: fc.record({
          interval: fc.constantFrom('hour' as const, 'day' as const, 'lifetime' as const),
          value: fc.integer({ min: 1, max: 3 }),
        }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(bounds, fc.array(asked, { maxLength: 30 }), (limits, all) => {
        const claims = all.map(({ begun, dueDay, counts, points, ...whose }): Claim => {
          const times = {
            begun: new Date(Date.parse('2026-03-27T20:00:00.000Z') + begun * 60_000),
            due: new Date(`2026-03-${dueDay}T09:00:00.000Z`),
          };
          const interval = limits.executions_per_client?.interval;
          const isPeriod = interval === 'hour' || interval === 'day';
          const period = isPeriod ? periodOf(interval, times[counts], 'Europe/Berlin') : null;
          const within = period && { ...period, counts };
          return {
            ...whose,
            limits: limits as Limits,
            points: points as never,
            times,
            within,
            recent: 0,
          };
        });
        const together = limitsPassed(claims, () => ({ rule: NO_USAGE, client: NO_USAGE }));
        const done: Claim[] = [];
        const one = claims.map((claim) => {
          const sumOf = (some: Claim[]) =>
            some.reduce((usage, { points }) => withExecution(usage, points), NO_USAGE);
          const ofRule = done.filter(({ ruleId }) => ruleId === claim.ruleId);
          const own = ofRule.filter(({ clientId }) => clientId === claim.clientId);
          const { within } = claim;
          const recent = own.filter(({ times }) => {
            const at = within && times[within.counts].getTime();
            return (
              at !== null && at >= within!.from.getTime() && at < Number(within!.until ?? Infinity)
            );
          });
          const used = { rule: sumOf(ofRule), client: sumOf(own), recent: recent.length };
          const limit = limitPassed(claim.limits, used, claim.points);
          if (!limit) done.push(claim);
          return limit;
        });
        expect(together).toEqual(one);
      }),
    );
  });
});

describe('executions that are decided on together', () => {
  const FROM = new Date('2026-03-27T00:00:00.000Z');
  const UNTIL = new Date('2026-03-28T00:00:00.000Z');
  const moved = (from: Date, ms: number) => new Date(from.getTime() + ms);
  /** One for each client and day, unless said otherwise. */
  const claim = (begun: Date, more: Partial<Claim> = {}): Claim => ({
    ruleId: 'rule',
    clientId: 'client',
    limits: { executions_per_client: { interval: 'day', value: 1 } },
    points: toUnits(1),
    times: { begun, due: moved(begun, -86_400_000) },
    within: { from: FROM, until: UNTIL, counts: 'begun' },
    recent: 0,
    ...more,
  });
  const unused = () => ({ rule: NO_USAGE, client: NO_USAGE });
  const passed = (...claims: Claim[]) => limitsPassed(claims, unused);
  const often = 'executions_per_client';

  test('find used up what those before them take in their interval, its first moment included and its end not', () => {
    expect(passed(claim(FROM), claim(FROM))).toEqual([null, often]);
    expect(passed(claim(moved(UNTIL, -1)), claim(FROM))).toEqual([null, often]);
    expect(passed(claim(UNTIL), claim(FROM))).toEqual([null, null]);
    expect(passed(claim(moved(FROM, -1)), claim(FROM))).toEqual([null, null]);
  });

  test('are counted by when they begin, or by when they were due', () => {
    const within = { from: FROM, until: UNTIL, counts: 'due' as const };
    const due = claim(moved(FROM, 86_400_000), { within });
    expect(passed(due, due)).toEqual([null, often]);
    const dueBefore = claim(FROM, { within });
    expect(passed(dueBefore, dueBefore)).toEqual([null, null]);
  });

  test('in an interval without an end find used up all that comes after its begin', () => {
    const open = { within: { from: FROM, until: null, counts: 'begun' as const } };
    expect(passed(claim(moved(UNTIL, 1), open), claim(FROM, open))).toEqual([null, often]);
    expect(passed(claim(moved(FROM, -1), open), claim(FROM, open))).toEqual([null, null]);
  });

  test('of other rules, or for other clients, take nothing of each other', () => {
    expect(passed(claim(FROM), claim(FROM, { clientId: 'other' }))).toEqual([null, null]);
    expect(passed(claim(FROM), claim(FROM, { ruleId: 'other' }))).toEqual([null, null]);
  });

  test('that are refused take nothing, and those of before count too', () => {
    const limits: Limits = { executions_per_client: { interval: 'day', value: 2 } };
    const [free, full] = [claim(FROM, { limits, recent: 1 }), claim(FROM, { limits, recent: 2 })];
    expect(passed(full, free, free)).toEqual([often, null, often]);
  });

  test('for ever count what was used in all, and no interval', () => {
    const limits: Limits = { executions_per_client: { interval: 'lifetime', value: 2 } };
    const one = claim(FROM, { limits, within: null });
    expect(passed(one, one, one)).toEqual([null, null, often]);
    expect(passed(claim(FROM, { limits: {}, within: null }))).toEqual([null]);
  });
});
