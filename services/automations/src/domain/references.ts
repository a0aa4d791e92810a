import { type Effect, formulasOf, type RuleFields } from './rule';

type Part = RuleFields['conditions'][number] | Effect;

/** The id that a part of a rule names, by the kind of what it is the id of. */
const NAMED: { [kind: string]: (part: Part) => string | undefined } = {
  wallet_type: (part) => ('wallet_type_code' in part ? part.wallet_type_code : undefined),
  reward: (part) => (part.type === 'give_reward' ? part.reward_id : undefined),
  tier: (part) => ('tier_id' in part ? part.tier_id : undefined),
  segment: (part) => (part.type === 'segment' ? part.segment_id : undefined),
  pass_template: (part) => (part.type === 'switch_template' ? part.template_id : undefined),
  webhook: (part) => (part.type === 'call_webhook' ? part.webhook_id : undefined),
};

/** Whether a rule would no longer do what it says without one of these things (part 4, section 6). */
export function refersTo(
  rule: Pick<RuleFields, 'conditions' | 'effects'>,
  kind: string,
  ids: readonly string[],
): boolean {
  const named = NAMED[kind];
  if (!named) return false;
  const parts: Part[] = [...rule.conditions, ...rule.effects];
  if (parts.some((part) => ids.includes(named(part) ?? ''))) return true;
  const formulas = formulasOf(rule).map(({ expression }) => expression);
  return ids.some((id) => formulas.some((formula) => isNamedIn(formula, kind, id)));
}

/** Formulas reach wallets by their code, `wallet.points` or `wallet["points"]`, and compare tiers by their id. */
function isNamedIn(formula: string, kind: string, id: string): boolean {
  if (kind === 'tier') return formula.includes(id);
  if (kind !== 'wallet_type') return false;
  return new RegExp(`\\bwallet\\s*(\\.\\s*${id}\\b|\\[\\s*["']${id}["']\\s*\\])`).test(formula);
}
