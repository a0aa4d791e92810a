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
import type { Period } from './days';
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

/** An execution that asks whether it may run. */
export interface Claim {
  ruleId: string;
  clientId: string;
  limits: Limits;
  points: Units;
  /** When it begins, and when what led to it was due. */
  times: { begun: Date; due: Date };
  /** The interval that its limit of executions for each client looks at, and by which of the times; null where that is no interval. */
  within: (Period & { counts: 'begun' | 'due' }) | null;
  /** Executions for the client in that interval, without those that are decided on with it. */
  recent: number;
}

/**
 * Decides on executions one after the other, each of which finds used up what those before it take: the limit that each
 * would pass, null where it may run.
 */
export function limitsPassed(
  claims: readonly Claim[],
  usedBefore: (claim: Claim) => Omit<Used, 'recent'>,
): (keyof Limits | null)[] {
  const taken = new Map<string, Usage>();
  const running: Claim[] = [];
  return claims.map((claim) => {
    const { ruleId, clientId, points } = claim;
    const before = usedBefore(claim);
    const ofClient = `${ruleId}:${clientId}`;
    const rule = taken.get(ruleId) ?? before.rule;
    const client = taken.get(ofClient) ?? before.client;
    const together = running.filter(
      (one) => one.ruleId === ruleId && one.clientId === clientId && isWithin(claim, one),
    );
    const used = { rule, client, recent: claim.recent + together.length };
    const limit = limitPassed(claim.limits, used, points);
    if (limit) return limit;
    taken.set(ruleId, withExecution(rule, points));
    taken.set(ofClient, withExecution(client, points));
    running.push(claim);
    return null;
  });
}

function isWithin({ within }: Claim, { times }: Claim): boolean {
  if (!within) return false;
  const at = times[within.counts];
  return at >= within.from && (within.until === null || at < within.until);
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
