import { newId } from '@laurel/lifecycle';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { tierChange } from '../domain/consequences';
import type { Facts } from '../domain/facts';
import type { PlannedEffect } from '../domain/plan';
import type { Rule } from '../domain/rule';
import { type Trigger, trigger } from '../domain/trigger';

/** An event that would come of a simulated one, and the rules that would have led to it. */
export interface Happening {
  happened: Trigger;
  chain: readonly Rule[];
}

/** What the tiers service would have heard of by then, in the order in which it would. */
export interface TierTrail {
  whom: { workspaceId: string; clientId: string; at?: string };
  thoughts: api.Thought[];
}

interface MovingCourse {
  facts: Facts;
  around: { tiers: readonly { id: string; name: string }[] };
  trail: TierTrail;
}

/**
 * What the tiers service would tell over an event that it hears, too: points that were earned, a sale, a client who is
 * enrolled or no longer. The facts are as the client stands after it.
 */
export async function movesAfter(
  deps: Pick<Deps, 'tiers'>,
  { happened, chain }: Happening,
  course: MovingCourse,
): Promise<Happening[]> {
  const thought = thoughtOf(happened);
  if (!thought) return [];
  const moves = await foretell(deps, course, { ...thought, by_rules: chain.length > 0 });
  return moves.flatMap(({ to_tier_id: id }) => {
    const before = course.facts;
    course.facts = { ...before, tier: tierNamed(id ?? null, course.around.tiers) };
    const told = tierChange({ before, after: course.facts });
    if (!told) return [];
    const origin = { eventId: newId(), clientId: happened.clientId, at: before.now };
    const follows = happened.follows ?? happened;
    return [{ happened: trigger({ ...told, ...origin, isSynthetic: true, follows }), chain }];
  });
}

/** What effects do to a tier at once; what comes of it is in the facts already. */
export function noteAssignments(trail: TierTrail, effects: readonly PlannedEffect[]): void {
  for (const effect of effects) {
    if (effect.type === 'assign_tier') {
      const { tier_id, duration_days: days } = effect;
      const lasting = days === null ? {} : { duration_days: days };
      trail.thoughts.push({ assigned: { tier_id, ...lasting } });
    }
    if (effect.type === 'remove_tier') trail.thoughts.push({ assigned: {} });
  }
}

/** The tier that a client falls to where theirs was assigned and is taken away. */
export async function tierWhenFreed(
  deps: Pick<Deps, 'tiers'>,
  course: MovingCourse,
): Promise<Facts['tier']> {
  const { facts, trail } = course;
  if (!facts.tier?.isAssigned) return null;
  const moves = await asked(deps, trail, [...trail.thoughts, { assigned: {} }]);
  const last = moves.filter(({ thought }) => thought === trail.thoughts.length).at(-1);
  return last ? tierNamed(last.to_tier_id ?? null, course.around.tiers) : null;
}

function thoughtOf({ type, eventType, amount, at, ...more }: Trigger): api.Thought | null {
  const code = more.metadata.wallet_type_code;
  if (type === 'loyalty' && eventType === 'points_earned' && amount && typeof code === 'string')
    return { earned: { wallet_type_code: code, points: amount } };
  if (type === 'field_change' && more.fieldName === 'loyalty_program_enabled')
    return { enrolled: more.newValue === 'true' };
  if (type !== 'transaction' || amount === null) return null;
  const isPurchase = eventType !== 'refund';
  const spending = isPurchase ? amount : -amount;
  return { sold: { spending, is_purchase: isPurchase, at: at.toISOString() } };
}

async function foretell(
  deps: Pick<Deps, 'tiers'>,
  { trail, around }: MovingCourse,
  thought: api.Thought,
): Promise<api.ForetoldMove[]> {
  trail.thoughts.push(thought);
  // A workspace without tiers has no moves.
  if (around.tiers.length === 0) return [];
  const moves = await asked(deps, trail, trail.thoughts);
  return moves.filter((move) => move.thought === trail.thoughts.length - 1);
}

async function asked(
  { tiers }: Pick<Deps, 'tiers'>,
  { whom: { workspaceId, clientId, at } }: TierTrail,
  thoughts: api.Thought[],
): Promise<api.ForetoldMove[]> {
  const { moves } = await tiers.ForetellMoves({
    workspace_id: workspaceId,
    client_id: clientId,
    thoughts,
    ...(at === undefined ? {} : { at }),
  });
  return moves;
}

/** Of a tier that a client reaches or falls to by itself. */
function tierNamed(
  id: string | null,
  tiers: readonly { id: string; name: string }[],
): Facts['tier'] {
  const index = tiers.findIndex((tier) => tier.id === id);
  const tier = tiers[index];
  return tier ? { id: tier.id, name: tier.name, level: index + 1, isAssigned: false } : null;
}
