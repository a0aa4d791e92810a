import Joi from 'joi';
import { defineEvent } from './define';
import {
  anyObject,
  flag,
  id,
  name,
  nullableId,
  nullableText,
  nullableTimestamp,
  revision,
  sample,
} from './fields';

/** A tier as far as listeners need it. */
export interface TierReference {
  id: string;
  name: string;
  sort_order: number;
  kind: 'auto' | 'exclusive';
}
export interface TierChanged {
  client_id: string;
  /** null: the client had no tier before, or has none now. */
  previous_tier: TierReference | null;
  tier: TierReference | null;
  manually_assigned: boolean;
  expires_at: string | null;
  /** activity, enrollment, assigned, unassigned, expired, periodic, resync, merged or anonymized. */
  reason?: string;
  /** Grows with every move of the client, so that listeners can tell which of two is the later. */
  member_revision?: number;
}
export interface TierNotificationRequested {
  client_id: string;
  tier: TierReference | null;
  previous_tier: TierReference | null;
  direction: 'promotion' | 'demotion';
  /** What the client is to read. */
  body: string;
  /** The tier_promoted or tier_demoted it belongs to. */
  tier_event_id: string;
}
/** A tier as the API shows it (part 1, Tier). */
export interface TierSnapshot extends TierReference {
  tier_set_id: string;
  workspace_id: string;
  description: string | null;
  condition_values: Record<string, number>;
  benefits: { id: string; label: string; value?: unknown }[];
  color: string | null;
  icon: string | null;
  pass_sync_config: { field_name?: string; sync_value?: string };
  pass_template_id: string | null;
  notification_config: Record<string, unknown> | null;
}
export interface TierCreated {
  tier: TierSnapshot;
}
export interface TierUpdated extends TierCreated {
  changed_fields: string[];
}
export interface TierDeleted {
  tier_id: string;
}
/** A tier set as the API shows it, without its tiers. */
export interface TierSetSnapshot {
  id: string;
  workspace_id: string;
  name: string;
  active: boolean;
  conditions: { type: string; wallet_type_code?: string }[];
  downgrade_config: { lookback_days?: number };
}
export interface TierSetChanged {
  tier_set: TierSetSnapshot;
}
export interface TierSetDeleted {
  tier_set_id: string;
  /** Tiers that went with it; no tier_deleted goes out for them. */
  tier_ids: string[];
}

const reference = {
  id: id(),
  name: name(),
  sort_order: Joi.number().integer().required(),
  kind: Joi.string().valid('auto', 'exclusive').required(),
};
const tier = Joi.object<TierReference>(reference).allow(null).required();
const schema = Joi.object<TierChanged>({
  client_id: id(),
  previous_tier: tier,
  tier,
  manually_assigned: flag(),
  expires_at: nullableTimestamp(),
  reason: Joi.string(),
  member_revision: revision(),
});
const snapshot = Joi.object<TierSnapshot>({
  ...reference,
  tier_set_id: id(),
  workspace_id: id(),
  description: nullableText(),
  condition_values: anyObject(),
  benefits: Joi.array()
    .items(Joi.object({ id: name(), label: name(), value: Joi.any() }))
    .required(),
  color: nullableText(),
  icon: nullableText(),
  pass_sync_config: anyObject(),
  pass_template_id: nullableId(),
  notification_config: Joi.object().unknown(true).allow(null).required(),
}).required();
const setSnapshot = Joi.object<TierSetSnapshot>({
  id: id(),
  workspace_id: id(),
  name: name(),
  active: flag(),
  conditions: Joi.array()
    .items(Joi.object({ type: name(), wallet_type_code: Joi.string() }))
    .required(),
  downgrade_config: anyObject(),
}).required();

const silver: TierReference = { id: sample.tierId, name: 'Silver', sort_order: 1, kind: 'auto' };
const gold: TierReference = { id: sample.otherTierId, name: 'Gold', sort_order: 2, kind: 'auto' };
const owned = { version: 1, source: 'tiers' } as const;
const internal = { ...owned, webhook: null } as const;
const setId = '0198f3a0-0000-7000-8000-000000000015';
const goldSnapshot: TierSnapshot = {
  ...gold,
  tier_set_id: setId,
  workspace_id: sample.workspaceId,
  description: null,
  condition_values: { total_earned: 500 },
  benefits: [{ id: 'coffee', label: 'A free coffee every month' }],
  color: '#D4AF37',
  icon: null,
  pass_sync_config: {},
  pass_template_id: null,
  notification_config: null,
};
const setExample: TierSetSnapshot = {
  id: setId,
  workspace_id: sample.workspaceId,
  name: 'Coffee levels',
  active: true,
  conditions: [{ type: 'total_earned' }],
  downgrade_config: { lookback_days: 365 },
};
const automatic = { client_id: sample.clientId, manually_assigned: false, expires_at: null };

/** Changes of tier; one from or to no tier counts too. */
export const tierEvents = [
  defineEvent({
    ...owned,
    type: 'tiers.tier_promoted',
    webhook: 'tier_promoted',
    description: 'A client moved to a higher tier.',
    schema,
    example: { ...automatic, previous_tier: silver, tier: gold },
  }),
  defineEvent({
    ...owned,
    type: 'tiers.tier_demoted',
    webhook: 'tier_demoted',
    description: 'A client moved to a lower tier or lost the last one.',
    schema,
    example: { ...automatic, previous_tier: gold, tier: silver },
  }),
  defineEvent({
    ...internal,
    type: 'tiers.notification_requested',
    description: 'A change of tier asks for a push to the passes of the client.',
    schema: Joi.object<TierNotificationRequested>({
      client_id: id(),
      tier,
      previous_tier: tier,
      direction: Joi.string().valid('promotion', 'demotion').required(),
      body: name(),
      tier_event_id: id(),
    }),
    example: {
      client_id: sample.clientId,
      tier: gold,
      previous_tier: silver,
      direction: 'promotion',
      body: 'Welcome to Gold.',
      tier_event_id: sample.eventId,
    },
  }),
  defineEvent({
    ...internal,
    type: 'tiers.tier_created',
    description: 'A tier exists.',
    schema: Joi.object<TierCreated>({ tier: snapshot }),
    example: { tier: goldSnapshot },
  }),
  defineEvent({
    ...internal,
    type: 'tiers.tier_updated',
    description: 'A tier changed. Carries the tier after the change.',
    schema: Joi.object<TierUpdated>({
      tier: snapshot,
      changed_fields: Joi.array().items(Joi.string()).required(),
    }),
    example: { tier: goldSnapshot, changed_fields: ['color'] },
  }),
  defineEvent({
    ...internal,
    type: 'tiers.tier_deleted',
    description: 'A tier is gone; whoever was in it moves elsewhere.',
    schema: Joi.object<TierDeleted>({ tier_id: id() }),
    example: { tier_id: sample.tierId },
  }),
  defineEvent({
    ...internal,
    type: 'tiers.tier_set_created',
    description: 'A workspace has a tier set.',
    schema: Joi.object<TierSetChanged>({ tier_set: setSnapshot }),
    example: { tier_set: setExample },
  }),
  defineEvent({
    ...internal,
    type: 'tiers.tier_set_updated',
    description: 'The rules of a tier set changed.',
    schema: Joi.object<TierSetChanged>({ tier_set: setSnapshot }),
    example: { tier_set: setExample },
  }),
  defineEvent({
    ...internal,
    type: 'tiers.tier_set_deleted',
    description: 'A tier set is gone with all its tiers.',
    schema: Joi.object<TierSetDeleted>({
      tier_set_id: id(),
      tier_ids: Joi.array().items(Joi.string().guid()).required(),
    }),
    example: { tier_set_id: setId, tier_ids: [sample.tierId, sample.otherTierId] },
  }),
] as const;
