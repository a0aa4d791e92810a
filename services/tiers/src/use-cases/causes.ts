import type { TierReason } from '@laurel/contract';
import { type CloudEvent, contextOf } from '@laurel/events';
import { type Context, currentContext } from '@laurel/lifecycle';
import { type Chain, joined } from '../domain/chain';
import type { Mode } from '../domain/evaluate';

/** Why a member's tier is looked at anew. */
export interface Cause {
  event: CloudEvent;
  reason: TierReason;
}

/**
 * In whose name a move is announced that several events led to: that of the last, in the chains of all, since without any of the
 * others the member might not have moved.
 */
export function contextOfAll(causes: readonly Cause[]): Context {
  const contexts = causes.map(({ event }) => contextOf(event));
  return contexts.reduce((before, one) => ({ ...one, ...joined(before, one) }));
}

/** How it is decided on what came at once: a consequence is only what came of rules altogether, and of nothing that the client or a person did. */
export function occasionOf(causes: readonly Cause[]) {
  const isConsequence = causes.every(({ event }) => chainOf(contextOf(event)));
  const mode: Mode = isConsequence ? 'consequence' : 'activity';
  const rules = isConsequence ? chainOf(contextOfAll(causes)) : null;
  return { mode, rules, reason: causes.at(-1)!.reason };
}

/** The rules that the work going on comes of; null where it comes of none. */
export function rulesBehind(): Chain | null {
  return chainOf(currentContext());
}

function chainOf({ chain, depth }: Context): Chain | null {
  return chain.length === 0 ? null : { chain, depth };
}
