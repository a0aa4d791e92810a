import { failedCondition, type Situation } from '../domain/conditions';
import { FormulaFailed } from '../domain/formula/formulas';
import type { RuleOccasion } from '../domain/history';
import { type Plan, planEffects, Unusable } from '../domain/plan';
import type { Rule } from '../domain/rule';
import { type FactDeps, type Known, situationOf } from './gather-facts';

/** What a rule would do, the condition that does not hold, or why it cannot do it; `fault` where that is no fault of its own. */
export type Verdict = { plan: Plan } | { unmet: string } | { failure: string; fault?: unknown };

/**
 * Asks the conditions of a rule and makes its plan, as things stand, or, with a history, with metrics as they were
 * then; limits are not looked at.
 */
export async function considerRule(
  deps: FactDeps,
  occasion: RuleOccasion,
  known: Known,
): Promise<Verdict> {
  return considerIn(occasion.rule, await situationOf(deps, occasion, known));
}

/** The same in a situation that is known already. */
export function considerIn(rule: Rule, situation: Situation): Verdict {
  try {
    const failed = failedCondition(rule, situation);
    if (failed) return { unmet: `condition ${failed.index}: ${failed.detail}` };
    return { plan: planEffects(rule, situation.evaluate) };
  } catch (error) {
    if (error instanceof FormulaFailed || error instanceof Unusable)
      return { failure: error.message };
    // Nothing here waits for anybody: trying again gives the same, and no other rule may suffer for it.
    return { failure: 'the rule could not be evaluated', fault: error };
  }
}
