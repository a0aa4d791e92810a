import {
  AMOUNT_MAX,
  add,
  smaller,
  subtract,
  toDecimal,
  toUnits,
  type Units,
  ZERO,
} from '@laurel/values/amount';
import type { Limits } from './rule';

/** What a rule has used up so far, as a whole or for one client: executions that ran or run, and their points. */
export interface Usage {
  points: Units;
  executions: number;
}

/** What the limits of a rule are held against. */
export interface Used {
  rule: Usage;
  client: Usage;
  /** Executions for the client in the interval of `executions_per_client`. */
  recent: number;
}

export const NO_USAGE: Usage = { points: ZERO, executions: 0 };

/** Which limit an execution that awards `points` would pass; null when it may run (part 3, section 8). */
export function limitPassed(limits: Limits, used: Used, points: Units): keyof Limits | null {
  const {
    total_budget,
    per_client_budget,
    executions_per_client: often,
    total_executions,
  } = limits;
  if (total_executions !== undefined && used.rule.executions >= total_executions)
    return 'total_executions';
  if (often) {
    const executions = often.interval === 'lifetime' ? used.client.executions : used.recent;
    if (executions >= often.value) return 'executions_per_client';
  }
  if (exceeds(total_budget, used.rule.points, points)) return 'total_budget';
  if (exceeds(per_client_budget, used.client.points, points)) return 'per_client_budget';
  return null;
}

function exceeds(budget: number | undefined, used: Units, points: Units): boolean {
  return budget !== undefined && points > subtract(toUnits(budget), used);
}

/** A usage after one more execution. */
export function withExecution(used: Usage, points: Units): Usage {
  return { points: addCapped(used.points, points), executions: used.executions + 1 };
}

/** What counts from then on; what is above the highest amount no budget can ask for. */
export function addCapped(used: Units, points: Units): Units {
  const max = toUnits(AMOUNT_MAX);
  return add(used, smaller(points, subtract(max, smaller(used, max))));
}

/** How far the limits of a rule are used up, as people read it; null where there is no such limit. */
export interface UsageReport {
  executions: number;
  points: number;
  remaining_budget: number | null;
  remaining_executions: number | null;
}

export function usageReport(
  { total_budget: budget, total_executions: times }: Limits,
  { points, executions }: Usage,
): UsageReport {
  return {
    executions,
    points: toDecimal(points),
    remaining_budget:
      budget === undefined ? null : Math.max(0, toDecimal(subtract(toUnits(budget), points))),
    remaining_executions: times === undefined ? null : Math.max(0, times - executions),
  };
}
