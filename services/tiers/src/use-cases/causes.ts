import type { TierReason } from '@laurel/contract';
import { type CloudEvent, contextOf } from '@laurel/events';
import type { Context } from '@laurel/lifecycle';

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
  const chain = [...new Set(contexts.flatMap((one) => one.chain))];
  return { ...contexts.at(-1)!, chain, depth: Math.max(...contexts.map(({ depth }) => depth)) };
}
