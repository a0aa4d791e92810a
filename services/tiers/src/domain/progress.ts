import { TIER_METRICS, type TierMetric } from '@laurel/contract';
import { toDecimal, unitsOf } from '@laurel/values/amount';
import { conditionsOf, type Measure, thresholdOf } from './evaluate';
import { type Condition, compareStandings, type Programme, type Rung } from './programme';

export interface Progress<T extends Rung> {
  current: T | null;
  next: T | null;
  /** From 0 to 1; 1 at the top. */
  toNext: number;
  /** What is furthest from its threshold; null at the top, and where the next tier asks for nothing. */
  metric: TierMetric | null;
  value: number | null;
  target: number | null;
}

/** How far it is to the next auto tier, counted from 0 (part 3, sections 5 and 16). */
export function progressOf<T extends Rung>(
  programme: Programme<T>,
  current: T | null,
  valueFor: Measure,
): Progress<T> {
  const next =
    programme.tiers.find((tier) => tier.kind === 'auto' && compareStandings(tier, current) > 0) ??
    null;
  const steps = next
    ? conditionsOf(next, programme.conditions).map((condition) => stepOf(next, condition, valueFor))
    : [];
  const [furthest] = steps.sort((a, b) => a.share - b.share);
  return {
    current,
    next,
    toNext: furthest?.share ?? 1,
    metric: furthest?.metric ?? null,
    value: furthest?.value ?? null,
    target: furthest?.target ?? null,
  };
}

function stepOf(tier: Rung, condition: Condition, valueFor: Measure) {
  const value = valueFor(condition);
  const target = thresholdOf(tier, condition);
  return {
    metric: condition.type,
    share: target <= 0 ? 1 : Math.min(1, Math.max(0, value / target)),
    value: asShown(condition.type, value),
    target: asShown(condition.type, target),
  };
}

/** A client's metrics as the API shows them: of several conditions on one metric, what all of them reach. */
export function shownMetrics(
  conditions: readonly Condition[],
  valueFor: Measure,
): Record<TierMetric, number> {
  const shown = (type: TierMetric): number => {
    const named = conditions.filter((condition) => condition.type === type);
    const values = (named.length === 0 ? [{ type }] : named).map(valueFor);
    return asShown(type, Math.min(...values));
  };
  const [earned, spending, count] = TIER_METRICS.map(shown) as [number, number, number];
  return { total_earned: earned, total_spending: spending, transaction_count: count };
}

function asShown(type: TierMetric, value: number): number {
  return type === 'transaction_count' ? value : toDecimal(unitsOf(value));
}
