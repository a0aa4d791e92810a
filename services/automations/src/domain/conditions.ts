import type { RuleOperator } from '@laurel/contract';
import type { Json } from '@laurel/errors';
import type { Facts, MetricFacts } from './facts';
import type { Condition, MetricQuestion, Rule } from './rule';

/** Evaluates a formula; throws when it cannot. */
export type Evaluate = (expression: string) => unknown;

/** Evaluates each formula once: asked for again, it gives or throws the same without taking anything for it. */
export function remembered(evaluate: Evaluate): Evaluate {
  const known = new Map<string, Evaluated>();
  return (expression) => {
    const outcome = known.get(expression) ?? outcomeOf(evaluate, expression);
    known.set(expression, outcome);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
}

type Evaluated = { value: unknown } | { error: unknown };

function outcomeOf(evaluate: Evaluate, expression: string): Evaluated {
  try {
    return { value: evaluate(expression) };
  } catch (error) {
    return { error };
  }
}

export interface Situation {
  facts: Facts;
  evaluate: Evaluate;
  /** Answers to the questions of `questionsOf`, by `keyOf`; null where there is nothing to measure. */
  measured: ReadonlyMap<string, number | null>;
  /** Segments of the rule that the client is in. */
  segmentIds: ReadonlySet<string>;
}

const HOLDS: Record<RuleOperator, (a: number, b: number) => boolean> = {
  eq: (a, b) => a === b,
  neq: (a, b) => a !== b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};

/** The first condition that does not hold, and why; null when all do (part 1, Automation rule). */
export function failedCondition(
  { conditions }: Pick<Rule, 'conditions'>,
  situation: Situation,
): { index: number; detail: string } | null {
  for (const [index, condition] of conditions.entries()) {
    const detail = complaintAbout(condition, situation);
    if (detail !== null) return { index, detail };
  }
  return null;
}

/** How one condition was found: what is, and what would have to be. */
export interface JudgedCondition {
  index: number;
  holds: boolean;
  actual: Json;
  wanted: Json;
}

/** All conditions of a rule, each judged by itself; one that cannot be evaluated does not hold, and says why. */
export function judgeConditions(
  { conditions }: Pick<Rule, 'conditions'>,
  situation: Situation,
): JudgedCondition[] {
  return conditions.map((condition, index) => {
    try {
      const holds = complaintAbout(condition, situation) === null;
      return { index, holds, ...compare(condition, situation) };
    } catch (error) {
      return { index, holds: false, actual: (error as Error).message, wanted: true };
    }
  });
}

function compare(condition: Condition, situation: Situation): { actual: Json; wanted: Json } {
  const { facts, segmentIds } = situation;
  switch (condition.type) {
    case 'expression':
      return { actual: situation.evaluate(condition.expression) as Json, wanted: true };
    case 'segment':
      return { actual: segmentIds.has(condition.segment_id), wanted: true };
    case 'tier':
      return { actual: facts.tier?.id ?? null, wanted: condition.tier_id };
    case 'wallet_balance': {
      const actual = facts.wallets[condition.wallet_type_code]?.active ?? 0;
      return { actual, wanted: boundOf(condition) };
    }
    case 'client_metric':
      return { actual: measure(condition, situation), wanted: boundOf(condition) };
  }
}

const boundOf = ({ operator, value }: { operator: RuleOperator; value: number }): Json => ({
  operator,
  value,
});

function complaintAbout(condition: Condition, situation: Situation): string | null {
  const { facts } = situation;
  switch (condition.type) {
    case 'expression':
      return situation.evaluate(condition.expression) === true
        ? null
        : `${condition.expression} does not hold`;
    case 'segment':
      return situation.segmentIds.has(condition.segment_id)
        ? null
        : 'the client is not in the segment';
    case 'tier':
      return facts.tier?.id === condition.tier_id ? null : 'the client is not in the tier';
    case 'wallet_balance': {
      const balance = facts.wallets[condition.wallet_type_code]?.active ?? 0;
      return compared(`balance of ${condition.wallet_type_code}`, balance, condition);
    }
    case 'client_metric':
      return compared(condition.metric, measure(condition, situation), condition);
  }
}

function compared(
  what: string,
  value: number | null,
  { operator, value: bound }: { operator: RuleOperator; value: number },
): string | null {
  if (value !== null && HOLDS[operator](value, bound)) return null;
  return `${what} is ${value ?? 'unknown'}, not ${operator} ${bound}`;
}

function measure(question: MetricQuestion, { facts, measured }: Situation): number | null {
  if (question.period_days !== undefined) return measured.get(keyOf(question)) ?? null;
  const { metric, wallet_type_code: code } = question;
  if (metric === 'points_earned' && code !== undefined) return facts.wallets[code]?.earned ?? 0;
  return facts.metrics[metric as keyof MetricFacts];
}

/** The metrics that are no standing figures: each has to be counted over its period. */
export function questionsOf({ conditions }: Pick<Rule, 'conditions'>): MetricQuestion[] {
  const questions = conditions.flatMap((condition) =>
    condition.type === 'client_metric' && condition.period_days !== undefined ? [condition] : [],
  );
  return [...new Map(questions.map((question) => [keyOf(question), question])).values()];
}

/** One name per question. */
export function keyOf({ metric, period_days, wallet_type_code }: MetricQuestion): string {
  return `${metric} ${period_days ?? ''} ${wallet_type_code ?? ''}`;
}
