import type { JsonObject } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type RedeemCommand, redeem, sourceOf } from './redeem-reward';

/** Gives a reward on somebody's behalf: it costs nothing but respects limits (part 3, section 16). */
export async function giveReward(
  deps: Deps,
  request: api.GiveRewardRequest,
): Promise<api.Redeemed> {
  return redeem(deps, askedGift(request));
}

/** What somebody who gives a reward away asks for. */
export function askedGift(request: api.GiveRewardRequest): RedeemCommand {
  const { workspace_id, reward_id, client_id } = request;
  const operation = request.operation_id ?? currentContext().operationId;
  return {
    workspaceId: workspace_id,
    rewardId: reward_id,
    clientId: client_id,
    source: sourceOf(request.source),
    metadata: (request.metadata ?? {}) as JsonObject,
    payment: 'given',
    sendNotification: request.send_notification !== false,
    purchasableOnly: false,
    operationKey: `${operation}:${reward_id}:${client_id}`,
  };
}
