import type { ClientMetric } from '@laurel/contract';
import { CLIENT_METRICS } from '@laurel/contract';
import { formulasOf, type Rule } from './rule';

type Asking = Pick<Rule, 'conditions' | 'effects' | 'limits'>;

/** What of a client, besides who they are, anybody has to look up for a rule. */
export interface Asked {
  fields: boolean;
  tier: boolean;
  wallets: boolean;
  /** The time zone of the workspace: what a day is. */
  zone: boolean;
}

export const ALL_ASKED: Asked = { fields: true, tier: true, wallets: true, zone: true };

/** The metrics that a rule looks at, in conditions or formulas. */
export function metricsAskedBy(rule: Pick<Asking, 'conditions' | 'effects'>): Set<ClientMetric> {
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
    fields: mentions('client'),
    tier: types.has('tier') || types.has('segment') || mentions('tier'),
    wallets:
      types.has('wallet_balance') ||
      types.has('segment') ||
      mentions('wallet') ||
      rules.some((rule) => metricsAskedBy(rule).has('points_earned')),
    zone: rules.some(looksAtDays),
  };
}

/** Conditions and formulas may; a limit does where it counts within a period. */
function looksAtDays(rule: Asking): boolean {
  const { interval = 'lifetime' } = rule.limits.executions_per_client ?? {};
  return rule.conditions.length > 0 || formulasOf(rule).length > 0 || interval !== 'lifetime';
}
