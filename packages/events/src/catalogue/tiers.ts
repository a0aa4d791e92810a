import Joi from 'joi';
import { defineEvent } from './define';
import { flag, id, name, nullableTimestamp, sample } from './fields';

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
}

const tier = Joi.object<TierReference>({
  id: id(),
  name: name(),
  sort_order: Joi.number().integer().required(),
  kind: Joi.string().valid('auto', 'exclusive').required(),
})
  .allow(null)
  .required();
const schema = Joi.object<TierChanged>({
  client_id: id(),
  previous_tier: tier,
  tier,
  manually_assigned: flag(),
  expires_at: nullableTimestamp(),
});

const silver: TierReference = { id: sample.tierId, name: 'Silver', sort_order: 1, kind: 'auto' };
const gold: TierReference = { id: sample.otherTierId, name: 'Gold', sort_order: 2, kind: 'auto' };
const owned = { version: 1, source: 'tiers' } as const;
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
] as const;
