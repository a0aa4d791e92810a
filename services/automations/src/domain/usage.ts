import {
  AMOUNT_MAX,
  add,
  larger,
  smaller,
  subtract,
  toUnits,
  type Units,
  ZERO,
} from '@laurel/amount';
import type { Interval, Limits } from './rule';

/** What a rule has used up so far. */
export interface RuleUsage {
  points: Units;
  executions: number;
}

/** What a rule has used up for one client; `times` are the latest executions, oldest first. */
export interface ClientUsage {
  points: Units;
  executions: number;
  times: Date[];
}

export const NO_USAGE: RuleUsage = { points: ZERO, executions: 0 };
export const NO_CLIENT_USAGE: ClientUsage = { points: ZERO, executions: 0, times: [] };

const HOUR_MS = 3_600_000;
const INTERVAL_MS: Record<Exclude<Interval, 'lifetime'>, number> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
};

/** Which limit an execution that awards `points` would pass; null when it may run (part 3, section 8). */
export function limitPassed(
  limits: Limits,
  used: { rule: RuleUsage; client: ClientUsage },
  points: Units,
  now: Date,
): keyof Limits | null {
  const {
    total_budget,
    per_client_budget,
    executions_per_client: often,
    total_executions,
  } = limits;
  if (total_executions !== undefined && used.rule.executions >= total_executions)
    return 'total_executions';
  if (often && countWithin(used.client, often.interval, now) >= often.value)
    return 'executions_per_client';
  if (exceeds(total_budget, used.rule.points, points)) return 'total_budget';
  if (exceeds(per_client_budget, used.client.points, points)) return 'per_client_budget';
  return null;
}

function exceeds(budget: number | undefined, used: Units, points: Units): boolean {
  return budget !== undefined && points > subtract(toUnits(budget), used);
}

function countWithin({ times, executions }: ClientUsage, interval: Interval, now: Date): number {
  if (interval === 'lifetime') return executions;
  const since = now.getTime() - INTERVAL_MS[interval];
  return times.filter((time) => time.getTime() > since).length;
}

/** Both usages after one more execution. Only as many times are kept as a limit can ask for. */
export function afterExecution(
  limits: Limits,
  used: { rule: RuleUsage; client: ClientUsage },
  points: Units,
  now: Date,
): { rule: RuleUsage; client: ClientUsage } {
  const { rule, client } = used;
  const often = limits.executions_per_client;
  const kept = often && often.interval !== 'lifetime' ? often.value : 0;
  return {
    rule: { points: addCapped(rule.points, points), executions: rule.executions + 1 },
    client: {
      points: addCapped(client.points, points),
      executions: client.executions + 1,
      times: kept === 0 ? [] : [...client.times, now].slice(-kept),
    },
  };
}

/** What counts from then on; what is above the highest amount no budget can ask for. */
export function addCapped(used: Units, points: Units): Units {
  const max = toUnits(AMOUNT_MAX);
  return add(used, smaller(points, subtract(max, smaller(used, max))));
}

/** What is left of usage when points that were set aside were not awarded after all. */
export function withoutPoints(used: Units, points: Units): Units {
  return larger(subtract(used, points), ZERO);
}
