import type { Json, JsonObject } from '@laurel/errors';
import type { rewards as api } from '@laurel/rpc';
import type { RewardData } from '../schema/action-data';
import { type Execute, type Foretell, originOf, SOURCE, speakingOf, type Task } from './task';

const FIELDS = { reward_id: 'data.reward_id', client_id: 'pass_id', metadata: 'data.metadata' };

/** Redeems a reward at the client's wish, for points. */
export const redeemReward: Execute = async ({ rewards }, task) =>
  shown(await speakingOf(FIELDS, rewards.RedeemReward(redeemRequest(task))));

export const foretellRedeeming: Foretell = async ({ rewards }, task) => {
  const { action_type: type, name: summary } = task.action;
  const quote = await speakingOf(FIELDS, rewards.QuoteRedemption(redeemRequest(task)));
  const { wallet_type_code, points_cost } = quote;
  return [{ type, summary, wallet_type_code: wallet_type_code ?? null, points: 0 - points_cost }];
};

/** Gives a reward away: it costs nothing but respects limits (part 3, section 16). */
export const grantReward: Execute = async ({ rewards }, task) =>
  shown(await speakingOf(FIELDS, rewards.GiveReward(rewardRequest(task))));

export const foretellGranting: Foretell = async ({ rewards }, task) => {
  const { action_type: type, name: summary } = task.action;
  await speakingOf(FIELDS, rewards.QuoteGift(rewardRequest(task)));
  return [{ type, summary, wallet_type_code: null, points: null }];
};

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

function shown({ redemption, coupon, points_ledger_id }: api.Redeemed): Json {
  return { redemption, coupon: coupon ?? null, points_ledger_id } as unknown as JsonObject;
}
