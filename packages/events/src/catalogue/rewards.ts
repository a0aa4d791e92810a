import { REDEMPTION_STATUSES, type RedemptionStatus } from '@laurel/contract';
import Joi, { type ObjectSchema } from 'joi';
import { defineEvent, type EventDefinition } from './define';
import {
  amount,
  anyObject,
  id,
  name,
  nullableId,
  nullableText,
  nullableTimestamp,
  sample,
  timestamp,
} from './fields';

/** A redemption as the API shows it (part 1, Redemption), with the names receivers ask for. */
export interface RedemptionChanged {
  client_id: string;
  reward_id: string;
  reward_name: string;
  redemption: {
    id: string;
    reward_id: string;
    client_id: string;
    workspace_id: string;
    points_spent: number;
    points_ledger_id: string | null;
    coupon_id: string | null;
    coupon_code: string | null;
    status: RedemptionStatus;
    redemption_date: string;
    source: string;
    metadata: Record<string, unknown>;
    used_at: string | null;
  };
}

/** A push that is due because of a redemption; its sender fills the tokens of the body. */
export interface RedemptionNotification {
  client_id: string;
  reward_id: string;
  redemption_id: string;
  /** As the workspace wrote it, template tokens and all. */
  body: string;
  /** What only this service knows; fields of the client are the sender's to add. */
  tokens: { reward_name: string; coupon_code: string | null; points_spent: number };
}

/** A redemption that was marked used is so no more; its coupon is good again. */
export interface UseTakenBack {
  client_id: string;
  reward_id: string;
  redemption_id: string;
}

export interface RewardChanged {
  reward_id: string;
  change: 'created' | 'updated' | 'deleted';
}

const schema: ObjectSchema<RedemptionChanged> = Joi.object<RedemptionChanged>({
  client_id: id(),
  reward_id: id(),
  reward_name: name(),
  redemption: Joi.object({
    id: id(),
    reward_id: id(),
    client_id: id(),
    workspace_id: id(),
    points_spent: amount(),
    points_ledger_id: nullableText(),
    coupon_id: nullableId(),
    coupon_code: nullableText(),
    status: Joi.string()
      .valid(...REDEMPTION_STATUSES)
      .required(),
    redemption_date: timestamp(),
    source: name(),
    metadata: anyObject(),
    used_at: nullableTimestamp(),
  }).required(),
});

function redemption<const Name extends string>(
  webhook: Name,
  description: string,
  change: Partial<RedemptionChanged['redemption']> = {},
): EventDefinition<`rewards.${Name}`, RedemptionChanged> {
  return defineEvent({
    type: `rewards.${webhook}`,
    webhook,
    version: 1,
    source: 'rewards',
    description,
    schema,
    example: {
      client_id: sample.clientId,
      reward_id: sample.rewardId,
      reward_name: 'Free coffee',
      redemption: {
        id: sample.redemptionId,
        reward_id: sample.rewardId,
        client_id: sample.clientId,
        workspace_id: sample.workspaceId,
        points_spent: 40,
        points_ledger_id: sample.entryId,
        coupon_id: sample.couponId,
        coupon_code: 'COFFEE-7KQ2',
        status: 'fulfilled',
        redemption_date: sample.at,
        source: 'self_serve',
        metadata: {},
        used_at: null,
        ...change,
      },
    },
    personal: { 'redemption.metadata': {} },
  });
}

/** What became of redemptions, and of the rewards themselves. */
export const rewardEvents = [
  redemption('reward_redeemed', 'A reward was redeemed: points, counters and coupon are settled.'),
  redemption('reward_used', 'A redemption was marked used.', { used_at: sample.at }),
  redemption('reward_cancelled', 'A redemption was cancelled and its points refunded.', {
    status: 'cancelled',
  }),
  defineEvent({
    type: 'rewards.notification_requested',
    webhook: null,
    version: 1,
    source: 'rewards',
    description: 'A redeemed reward asks for a push to the passes of its client.',
    schema: Joi.object<RedemptionNotification>({
      client_id: id(),
      reward_id: id(),
      redemption_id: id(),
      body: name(),
      tokens: Joi.object({
        reward_name: name(),
        coupon_code: nullableText(),
        points_spent: amount(),
      }).required(),
    }),
    example: {
      client_id: sample.clientId,
      reward_id: sample.rewardId,
      redemption_id: sample.redemptionId,
      body: 'Enjoy your {{reward_name}}! Show code {{coupon_code}}.',
      tokens: { reward_name: 'Free coffee', coupon_code: 'COFFEE-7KQ2', points_spent: 40 },
    },
  }),
  defineEvent({
    type: 'rewards.use_taken_back',
    webhook: null,
    version: 1,
    source: 'rewards',
    description: 'A redemption is not used any more; what shows the codes of its client is stale.',
    schema: Joi.object<UseTakenBack>({ client_id: id(), reward_id: id(), redemption_id: id() }),
    example: {
      client_id: sample.clientId,
      reward_id: sample.rewardId,
      redemption_id: sample.redemptionId,
    },
  }),
  defineEvent({
    type: 'rewards.reward_changed',
    webhook: null,
    version: 1,
    source: 'rewards',
    description: 'A reward was created, changed or deleted; what shows rewards is stale.',
    schema: Joi.object<RewardChanged>({
      reward_id: id(),
      change: Joi.string().valid('created', 'updated', 'deleted').required(),
    }),
    example: { reward_id: sample.rewardId, change: 'updated' },
  }),
] as const;
