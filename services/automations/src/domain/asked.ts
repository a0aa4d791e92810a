import type { ClientMetric } from '@laurel/contract';
import { CLIENT_METRICS } from '@laurel/contract';
import { formulasOf, type Rule } from './rule';

type Asking = Pick<Rule, 'conditions' | 'effects'>;

/** What of a client, besides who they are, anybody has to look up for a rule. */
export interface Asked {
  fields: boolean;
  tier: boolean;
  wallets: boolean;
}

export const ALL_ASKED: Asked = { fields: true, tier: true, wallets: true };

/** The metrics that a rule looks at, in conditions or formulas. */
export function metricsAskedBy(rule: Asking): Set<ClientMetric> {
  const asked = rule.conditions.flatMap((condition) =>
    condition.type === 'client_metric' ? [condition.metric] : [],
  );
  const texts = formulasOf(rule).map(({ expression }) => expression);
  const named = CLIENT_METRICS.filter((metric) => texts.some((text) => text.includes(metric)));
  const isEarnedNamed = texts.some((text) => /\bearned\b/.test(text));
  return new Set([...asked, ...named, ...(isEarnedNamed ? ['points_earned' as const] : [])]);
}

/** What any of the rules looks at. */
export function askedBy(rules: readonly Asking[]): Asked {
  const types = new Set(
    rules.flatMap(({ conditions, effects }) => [...conditions, ...effects].map(({ type }) => type)),
  );
  const text = rules
    .flatMap(formulasOf)
    .map(({ expression }) => expression)
    .join('\n');
  const mentions = (variable: string) => new RegExp(`\\b${variable}\\b`).test(text);
  return {
    fields: types.has('update_client_field') || mentions('client'),
    tier: types.has('tier') || mentions('tier'),
    wallets:
      types.has('wallet_balance') ||
      mentions('wallet') ||
      rules.some((rule) => metricsAskedBy(rule).has('points_earned')),
  };
}
