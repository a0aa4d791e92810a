import type { Json, JsonObject } from '@laurel/errors';
import type { rewards as api } from '@laurel/rpc';
import type { RewardData } from '../schema/action-data';
import { type Execute, originOf, SOURCE, speakingOf, type Task } from './task';

const FIELDS = { reward_id: 'data.reward_id', client_id: 'pass_id', metadata: 'data.metadata' };

/** Redeems a reward at the client's wish, for points. */
export const redeemReward: Execute = async ({ rewards }, task) => {
  const request = { ...rewardRequest(task), purchasable_only: true };
  return shown(await speakingOf(FIELDS, rewards.RedeemReward(request)));
};

/** Gives a reward away: it costs nothing but respects limits (part 3, section 16). */
export const grantReward: Execute = async ({ rewards }, task) =>
  shown(await speakingOf(FIELDS, rewards.GiveReward(rewardRequest(task))));

export function rewardRequest(task: Task) {
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
