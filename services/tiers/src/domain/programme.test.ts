import { TIER_METRICS } from '@laurel/contract';
import fc from 'fast-check';
import { compareStandings, compareTiers, programmeOf, type Rung } from './programme';

const rung = (id: string, sort_order: number): Rung => ({
  id,
  sort_order,
  kind: 'auto',
  condition_values: {},
});

test('tiers go by sort_order, and of equal ones the one made later is the higher', () => {
  const inOrder = [rung('z', 0), rung('a', 1), rung('b', 1), rung('c', 20)];
  for (const [at, one] of inOrder.entries()) {
    expect(compareTiers(one, { ...one })).toBe(0);
    for (const higher of inOrder.slice(at + 1)) {
      expect(compareTiers(one, higher)).toBeLessThan(0);
      expect(compareTiers(higher, one)).toBeGreaterThan(0);
    }
  }
});

test('no tier is below every tier, and equal to none', () => {
  expect(compareStandings(null, null)).toBe(0);
  expect(compareStandings(null, rung('a', 0))).toBeLessThan(0);
  expect(compareStandings(rung('a', 0), null)).toBeGreaterThan(0);
  expect(compareStandings(rung('a', 0), rung('b', 1))).toBeLessThan(0);
});

test('clients are measured by three metrics', () => {
  expect(TIER_METRICS).toEqual(['total_earned', 'total_spending', 'transaction_count']);
});

describe('a programme', () => {
  const set = {
    active: true,
    conditions: [{ type: 'total_spending' as const }],
    downgrade_config: {},
  };

  test('has its tiers from the lowest to the highest, whatever order they come in', () => {
    const anyTiers = fc.uniqueArray(fc.tuple(fc.nat(5), fc.nat(9)), { selector: ([, id]) => id });
    fc.assert(
      fc.property(anyTiers, (rows) => {
        const given = rows.map(([order, id]) => rung(String(id), order));
        const before = [...given];
        const { tiers } = programmeOf(set, given);
        for (const [at, tier] of tiers.slice(1).entries())
          expect(compareTiers(tiers[at]!, tier)).toBeLessThan(0);
        expect(tiers).toHaveLength(given.length);
        expect(given).toEqual(before);
      }),
    );
  });

  test('looks back over no days unless it says so', () => {
    expect(programmeOf(set, [])).toEqual({
      active: true,
      conditions: set.conditions,
      lookbackDays: 0,
      tiers: [],
    });
    const config = { active: false, downgrade_config: { lookback_days: 30 } };
    expect(programmeOf({ ...set, ...config }, [])).toMatchObject({
      active: false,
      lookbackDays: 30,
    });
  });
});
