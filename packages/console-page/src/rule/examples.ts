import type { Say } from '../language';
import { type Names, newCondition, type RuleBody } from './body';
import { writeAmount } from './formula';

export const EXAMPLES = [
  'purchase',
  'happyHour',
  'bigBasket',
  'birthday',
  'welcome',
  'fifthVisit',
  'referral',
  'blank',
] as const;
export type ExampleName = (typeof EXAMPLES)[number];

/** A rule to start from, in the workspace's first currency. Nothing of it runs before it is switched on. */
export function exampleRule(example: ExampleName, say: Say, names: Names): RuleBody {
  const wallet_type_code = names.currencies[0]?.code ?? '';
  const perMoney = (factor: number) => ({
    type: 'earn_points' as const,
    wallet_type_code,
    amount_type: 'expression' as const,
    amount_expression: writeAmount({ kind: 'perMoney', factor }),
  });
  const fixed = (amount: number) => ({
    type: 'earn_points' as const,
    wallet_type_code,
    amount_type: 'fixed' as const,
    amount,
  });
  const base = {
    name: say(`rule.example.${example}`),
    active: false,
    trigger_type: 'transaction' as const,
    trigger_config: {},
    conditions: [],
    effects: [perMoney(1)],
  };
  switch (example) {
    case 'purchase':
      return base;
    case 'happyHour':
      // What is given on top of the usual doubles it.
      return {
        ...base,
        conditions: [newCondition('time', names)],
        effects: [perMoney(names.usualRate)],
      };
    case 'bigBasket':
      return { ...base, trigger_config: { min_amount: 50 }, effects: [fixed(100)] };
    case 'birthday':
      return {
        ...base,
        trigger_type: 'time_based',
        trigger_config: { schedule: { cron: '0 9 * * *' } },
        conditions: [newCondition('birthday', names)],
        effects: [fixed(50)],
        limits: { executions_per_client: { interval: 'day', value: 1 } },
      };
    case 'welcome':
      return {
        ...base,
        trigger_type: 'pass_lifecycle',
        trigger_config: { event_types: ['pass_installed'] },
        effects: [fixed(20)],
        limits: { executions_per_client: { interval: 'lifetime', value: 1 } },
      };
    case 'fifthVisit':
      return {
        ...base,
        conditions: [
          { type: 'client_metric', metric: 'transaction_count', operator: 'gte', value: 5 },
        ],
        effects: [fixed(50)],
        limits: { executions_per_client: { interval: 'lifetime', value: 1 } },
      };
    case 'referral':
      return {
        ...base,
        trigger_type: 'referral',
        trigger_config: { event_types: ['referral_completed'], role: 'referrer' },
        effects: [fixed(50)],
      };
    case 'blank':
      return { ...base, name: '', effects: [] };
  }
}
