import type { Json, JsonObject } from '@laurel/errors';
import type { rewards as api } from '@laurel/rpc';
import { withoutHiddenMetadata } from '../../../domain/mobile/hiding';
import type { RewardData } from '../schema/action-data';
import {
  type Execute,
  type Foretell,
  type Foretold,
  loyaltyEvent,
  originOf,
  SOURCE,
  speakingOf,
  type Task,
} from './task';

const FIELDS = { reward_id: 'data.reward_id', client_id: 'pass_id', metadata: 'data.metadata' };

/** Redeems a reward at the client's wish, for points. */
export const redeemReward: Execute = async ({ rewards }, task) =>
  shown(task, await speakingOf(FIELDS, rewards.RedeemReward(redeemRequest(task))));

export const foretellRedeeming: Foretell = async ({ rewards }, task) => {
  const quote = await speakingOf(FIELDS, rewards.QuoteRedemption(redeemRequest(task)));
  const { wallet_type_code = null, points_cost, balance_after = null } = quote;
  const redeemed = redemptionOf(task, quote);
  const points = 0 - points_cost;
  if (wallet_type_code === null) return told(task, { code: null, points, event: redeemed });
  const metadata = { wallet_type_code, points_delta: points, balance_after };
  const event = loyaltyEvent(task, { event_type: 'points_spent', amount: points_cost, metadata });
  return {
    ...told(task, { code: wallet_type_code, points, event }),
    told: {
      event,
      also: { events: [redeemed], moved: [{ wallet_type_code, amount: points, pending: 0 }] },
    },
  };
};

/** Gives a reward away: it costs nothing but respects limits (part 3, section 16). */
export const grantReward: Execute = async ({ rewards }, task) =>
  shown(task, await speakingOf(FIELDS, rewards.GiveReward(rewardRequest(task))));

export const foretellGranting: Foretell = async ({ rewards }, task) => {
  const quote = await speakingOf(FIELDS, rewards.QuoteGift(rewardRequest(task)));
  return told(task, { code: null, points: null, event: redemptionOf(task, quote) });
};

type Event = ReturnType<typeof loyaltyEvent>;

function told(
  { action: { action_type: type, name: summary } }: Task,
  { code, points, event }: { code: string | null; points: number | null; event: Event },
): Foretold {
  return { effects: [{ type, summary, wallet_type_code: code, points }], told: { event } };
}

/** What the event of the redemption would say, which is not there yet. */
function redemptionOf(task: Task, { points_cost, reward_name }: api.RedemptionQuote): Event {
  const { reward_id } = task.data as unknown as RewardData;
  const metadata = { reward_id, reward_name, redemption_id: null, coupon_code: null };
  return loyaltyEvent(task, { event_type: 'reward_redeemed', amount: points_cost, metadata });
}

const redeemRequest = (task: Task) => ({ ...rewardRequest(task), purchasable_only: true });

function rewardRequest(task: Task) {
  const { reward_id, metadata } = task.data as unknown as RewardData;
  return {
    workspace_id: task.workspaceId,
    client_id: task.clientId,
    reward_id,
    source: SOURCE,
    metadata: { ...metadata, ...originOf(task) },
  };
}

function shown({ config }: Task, { redemption, coupon, points_ledger_id }: api.Redeemed): Json {
  const open = withoutHiddenMetadata(config.hidden_fields, redemption!);
  return { redemption: open, coupon: coupon ?? null, points_ledger_id } as unknown as JsonObject;
}
