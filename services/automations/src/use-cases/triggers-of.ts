import { bareFieldName, type TriggerType } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import {
  type CloudEvent,
  type FieldChange,
  type PointsMoved,
  type RedemptionChanged,
  type ReferralChanged,
  type ReferralCompleted,
  sideIdOf,
  sidesOf,
  type TierChanged,
} from '@laurel/events';
import { type Trigger, trigger } from '../domain/trigger';
import type { TriggeringEvent } from '../store/triggering-events';

/** Trail events by the first part of their type. */
const TRAIL_TRIGGERS: Readonly<Record<string, TriggerType>> = {
  transaction: 'transaction',
  custom: 'custom_event',
  engagement: 'custom_event',
  pass_lifecycle: 'pass_lifecycle',
  posted_loyalty: 'loyalty',
};

/** What an event means to rules: one happening per client it is about; none where no client is known. */
export function triggersOf(event: TriggeringEvent): Trigger[] {
  switch (event.type) {
    case 'clients.field_change':
      return [fieldTrigger(event, event.data)];
    case 'loyalty.points_earned':
    case 'loyalty.points_spent':
    case 'loyalty.points_expired':
    case 'loyalty.points_adjusted':
      return [pointsTrigger(event, event.data)];
    case 'tiers.tier_promoted':
    case 'tiers.tier_demoted':
      return [tierTrigger(event, event.data)];
    case 'rewards.reward_redeemed':
    case 'rewards.reward_used':
    case 'rewards.reward_cancelled':
      return [rewardTrigger(event, event.data)];
    case 'referrals.referral_created':
    case 'referrals.referral_completed':
    case 'referrals.referral_expired':
    case 'referrals.referral_cancelled':
      return referralTriggers(event, event.data);
    default: {
      const [domain = ''] = event.type.split('.');
      return storedTriggers(TRAIL_TRIGGERS[domain]!, event.data);
    }
  }
}

/** An event of the trail, as it was published or as it is stored. */
interface StoredEvent {
  id: string;
  event_category: string;
  event_type: string;
  event_timestamp: string;
  client_id?: string | null;
  pass_id?: string | null;
  amount?: number | null;
  currency?: string | null;
  field_name?: string | null;
  old_value?: string | null;
  new_value?: string | null;
  source?: string | null;
  external_id?: string | null;
  metadata?: unknown;
}

/** What an event of the trail means to rules of a kind; nothing where no client is known. */
export function storedTriggers(type: TriggerType, event: StoredEvent): Trigger[] {
  if (!event.client_id) return [];
  return [
    trigger({
      type,
      eventId: event.id,
      eventType: event.event_type,
      eventCategory: event.event_category,
      clientId: event.client_id,
      at: new Date(event.event_timestamp),
      passId: event.pass_id ?? null,
      amount: event.amount ?? null,
      currency: event.currency ?? null,
      fieldName: event.field_name ? bareFieldName(event.field_name) : null,
      oldValue: event.old_value ?? null,
      newValue: event.new_value ?? null,
      source: event.source ?? null,
      externalId: event.external_id ?? null,
      metadata: (event.metadata ?? {}) as JsonObject,
    }),
  ];
}

function fieldTrigger(event: CloudEvent, change: FieldChange): Trigger {
  const { field_name: name } = change;
  return trigger({
    type: 'field_change',
    eventId: change.event_id ?? event.id,
    eventType: change.event_type ?? 'field_updated',
    eventCategory: 'field_change',
    clientId: change.client_id,
    at: new Date(change.event_timestamp ?? event.time),
    passId: change.pass_id ?? null,
    fieldName: bareFieldName(name),
    oldValue: change.old_value,
    newValue: change.new_value,
    source: change.source,
    externalId: change.external_id ?? null,
    metadata: (change.metadata ?? {}) as JsonObject,
  });
}

/** What the domain events of loyalty have in common. */
function loyaltyTrigger(event: CloudEvent, clientId: string, known: Partial<Trigger>): Trigger {
  return trigger({
    type: 'loyalty',
    eventId: event.id,
    eventType: event.type.slice(event.type.indexOf('.') + 1),
    eventCategory: 'loyalty',
    clientId,
    at: new Date(event.time),
    ...known,
  });
}

function pointsTrigger(event: CloudEvent, { entry, wallet, client_id }: PointsMoved): Trigger {
  return loyaltyTrigger(event, client_id, {
    amount: Math.abs(entry.amount),
    source: entry.source_type,
    externalId: entry.external_id,
    metadata: {
      ...(entry.metadata as JsonObject),
      wallet_type_code: wallet.wallet_type_code,
      points_delta: entry.amount,
      balance_after: entry.balance_after,
      source_type: entry.source_type,
      source_id: entry.source_id,
    },
  });
}

function tierTrigger(event: CloudEvent, change: TierChanged): Trigger {
  return loyaltyTrigger(event, change.client_id, {
    source: 'tiers',
    metadata: {
      tier_id: change.tier?.id ?? null,
      tier_name: change.tier?.name ?? null,
      previous_tier_id: change.previous_tier?.id ?? null,
      previous_tier_name: change.previous_tier?.name ?? null,
      manually_assigned: change.manually_assigned,
    },
  });
}

function rewardTrigger(event: CloudEvent, change: RedemptionChanged): Trigger {
  const { redemption } = change;
  return loyaltyTrigger(event, change.client_id, {
    amount: redemption.points_spent,
    source: redemption.source,
    metadata: {
      reward_id: change.reward_id,
      reward_name: change.reward_name,
      redemption_id: redemption.id,
      coupon_code: redemption.coupon_code,
    },
  });
}

/** A completed referral counts once per role; anything else once, about both. */
function referralTriggers(
  event: CloudEvent,
  data: ReferralChanged & Partial<ReferralCompleted>,
): Trigger[] {
  return sidesOf(data).map(({ role, clientId }) =>
    trigger({
      type: 'referral',
      eventId: event.id,
      triggerEventId: sideIdOf(event.id, role),
      eventType: event.type.slice(event.type.indexOf('.') + 1),
      eventCategory: 'referral',
      clientId,
      at: new Date(event.time),
      role,
      source: 'referrals',
      metadata: {
        referral_id: data.referral_id,
        referral_code: data.referral_code,
        completion_criteria: data.completion_criteria,
        referrer_completed_count: data.referrer_completed_count ?? null,
      },
    }),
  );
}
