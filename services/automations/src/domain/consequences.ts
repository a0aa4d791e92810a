import { type Json, type JsonObject, memberOf } from '@laurel/errors';
import { columnValue, WRITABLE_COLUMNS } from './client-value';
import type { Facts } from './facts';
import type { PlannedEffect } from './plan';
import type { Trigger } from './trigger';

/** What is published of an effect, as rules see it. */
export type Consequence = Pick<Trigger, 'type' | 'eventType' | 'eventCategory'> & Partial<Trigger>;

/** How things would stand before an effect and after it. */
interface Around {
  before: Facts;
  after: Facts;
}

/** The event that an effect would cause and that other rules may ask for; null where it causes none. */
export function consequenceOf(
  effect: PlannedEffect,
  around: Around,
  happened: Trigger,
): Consequence | null {
  switch (effect.type) {
    case 'earn_points':
      if (effect.points === 0) return null;
      return ofPoints({ ...effect, delta: effect.points }, around, happened);
    case 'deduct_points':
      return ofPoints({ ...effect, delta: -effect.amount }, around, happened);
    case 'give_reward':
      return ofGift(effect.reward_id);
    case 'update_client_field':
      return ofField(effect.field_name, around);
    case 'assign_tier':
    case 'remove_tier':
      return tierChange(around);
    default:
      return null;
  }
}

function loyalty(eventType: string, known: Partial<Trigger>): Consequence {
  return { type: 'loyalty', eventCategory: 'loyalty', eventType, ...known };
}

function ofPoints(
  { wallet_type_code: code, delta }: { wallet_type_code: string; delta: number },
  { after }: Around,
  { type, eventType: firstType, eventId }: Trigger,
): Consequence {
  // As `apply-effect.ts` names where points come from.
  const isForPurchase = delta > 0 && type === 'transaction' && firstType === 'purchase';
  const source = isForPurchase ? 'transaction' : 'automation';
  return loyalty(delta > 0 ? 'points_earned' : 'points_spent', {
    amount: Math.abs(delta),
    source,
    metadata: {
      wallet_type_code: code,
      points_delta: delta,
      balance_after: after.wallets[code]?.active ?? 0,
      source_type: source,
      source_id: isForPurchase ? eventId : null,
    },
  });
}

/** What is given costs nothing. Its redemption is not there yet, nor is its code. */
function ofGift(rewardId: string): Consequence {
  const metadata: JsonObject = {
    reward_id: rewardId,
    reward_name: null,
    redemption_id: null,
    coupon_code: null,
  };
  return loyalty('reward_redeemed', { amount: 0, source: 'earning_rule', metadata });
}

/** The event of a tier that changed. */
export function tierChange({ before, after }: Around): Consequence | null {
  const [from, to] = [before.tier, after.tier];
  if (from?.id === to?.id) return null;
  const isUp = (to?.level ?? 0) > (from?.level ?? 0);
  return loyalty(isUp ? 'tier_promoted' : 'tier_demoted', {
    source: 'tiers',
    metadata: {
      tier_id: to?.id ?? null,
      tier_name: to?.name ?? null,
      previous_tier_id: from?.id ?? null,
      previous_tier_name: from?.name ?? null,
      manually_assigned: to?.isAssigned ?? false,
    },
  });
}

function ofField(name: string, { before, after }: Around): Consequence | null {
  const [oldValue, newValue] = [textOf(before, name), textOf(after, name)];
  if (oldValue === newValue) return null;
  return {
    type: 'field_change',
    eventCategory: 'field_change',
    eventType: 'field_updated',
    fieldName: name,
    oldValue,
    newValue,
    source: 'automation',
  };
}

/** A field as the trail tells it: text, or null. */
function textOf({ client }: Facts, name: string): string | null {
  const columns = client as unknown as Record<string, Json | undefined>;
  const isColumn = WRITABLE_COLUMNS.includes(name);
  const kept = (isColumn ? columns[name] : memberOf(client.custom_fields, name)) ?? null;
  const value = isColumn ? columnValue(name, kept) : kept;
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}
