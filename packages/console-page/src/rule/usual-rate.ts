import { readAmount } from './formula';

/** What is looked at of a rule; what stands in its conditions is not. */
interface Earning {
  active: boolean;
  trigger_type: string;
  conditions?: readonly unknown[];
  effects: readonly Readonly<Record<string, unknown>>[];
}

/** How many points every purchase brings for each unit of money, by the first rule that says so; else one. */
export function usualRateOf(rules: readonly Earning[]): number {
  for (const { active, trigger_type, conditions = [], effects } of rules) {
    if (!active || trigger_type !== 'transaction' || conditions.length > 0) continue;
    for (const effect of effects) {
      if (effect.type !== 'earn_points') continue;
      const pill = readAmount(String(effect.amount_expression ?? ''));
      if (pill.kind === 'perMoney') return pill.factor;
    }
  }
  return 1;
}
