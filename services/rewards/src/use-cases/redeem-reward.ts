import { REDEMPTION_SOURCES, type RedemptionSource } from '@laurel/contract';
import { invalidField, type JsonObject } from '@laurel/errors';
import { currentContext, mayFail, newId } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { costOf, type Facts, type Payment, reasonAgainst } from '../domain/availability';
import type { Attempt } from '../domain/redemption';
import { refusals } from '../refusals';
import { awaitOutcome } from './await-outcome';
import { driveAttempt } from './drive-attempt';
import { gatherFacts } from './gather-facts';
import { presentRedeemed } from './present-redeemed';

/** How often a redemption is decided anew: the reward was changed meanwhile, or an earlier try was undone. */
const DECISIONS_MAX = 5;

export interface RedeemCommand {
  workspaceId: string;
  rewardId: string;
  clientId: string;
  source: RedemptionSource;
  metadata: JsonObject;
  payment: Payment;
  sendNotification: boolean;
  purchasableOnly: boolean;
  /** One operation redeems once. */
  operationKey: string;
}

/** Redeems a reward at a client's wish: points, uses, coupon and redemption, or nothing of it. */
export async function redeemReward(
  deps: Deps,
  request: api.RedeemRewardRequest,
): Promise<api.Redeemed> {
  return redeem(deps, askedRedemption(request));
}

/** What a client's wish asks for. */
export function askedRedemption(request: api.RedeemRewardRequest): RedeemCommand {
  const { workspace_id, reward_id, client_id } = request;
  return {
    workspaceId: workspace_id,
    rewardId: reward_id,
    clientId: client_id,
    source: sourceOf(request.source ?? 'admin'),
    metadata: (request.metadata ?? {}) as JsonObject,
    payment: request.skip_points_cost ? 'skipped' : 'points',
    sendNotification: request.send_notification !== false,
    purchasableOnly: request.purchasable_only === true,
    operationKey: `${currentContext().operationId}:${reward_id}:${client_id}`,
  };
}

/** Who asked for it; anything else is refused as INVALID_PAYLOAD. */
export function sourceOf(text: string): RedemptionSource {
  const source = REDEMPTION_SOURCES.find((known) => known === text);
  if (!source)
    throw invalidField('source', `source must be one of ${REDEMPTION_SOURCES.join(', ')}`);
  return source;
}

export async function redeem(deps: Deps, command: RedeemCommand): Promise<api.Redeemed> {
  for (let decision = 1; decision <= DECISIONS_MAX; decision += 1) {
    const deciding = gatherFacts(deps, command);
    // A repeat is answered as the first time, whatever the facts are by now.
    deciding.catch(mayFail('a repeat is answered without the facts'));
    const { workspaceId, operationKey } = command;
    const [earlier] = await Promise.all([
      deps.redemptions.findByOperation(workspaceId, operationKey),
      deps.redemptions.requireUnused(workspaceId, operationKey),
    ]);
    if (earlier) return presentRedeemed(deps, earlier);
    const facts = await deciding;
    const reason = reasonAgainst(facts);
    // What stands against it may be its own first try, which holds a use, the points and a coupon.
    const outcome = reason
      ? await awaitOutcome(deps, command)
      : await attemptOnce(deps, command, facts);
    if (typeof outcome !== 'string') return outcome;
    if (reason && outcome === 'unknown') throw refusals[reason]();
  }
  throw refusals.rewardChanged();
}

async function attemptOnce(
  deps: Deps,
  command: RedeemCommand,
  facts: Facts,
): Promise<api.Redeemed | 'changed' | 'unknown' | 'undone'> {
  const attempt = newAttempt(command, facts);
  const dueAt = new Date(facts.now.getTime() + deps.abandonedMs);
  const isFirst = await deps.attempts.insert(attempt, command.operationKey, dueAt);
  return isFirst ? driveAttempt(deps, attempt, command.operationKey) : awaitOutcome(deps, command);
}

/** How a redemption that was decided on begins. */
export function newAttempt(command: RedeemCommand, { reward, payment, now }: Facts): Attempt {
  return {
    id: newId(),
    workspace_id: command.workspaceId,
    reward_id: reward.id,
    client_id: command.clientId,
    state: 'open',
    payment,
    cost: costOf(reward, payment),
    source: command.source,
    metadata: command.metadata,
    send_notification: command.sendNotification,
    reward: {
      name: reward.name,
      revision: reward.revision,
      wallet_type_id: reward.wallet_type_id,
      code_pattern: reward.code_pattern,
      coupons_imported: reward.coupons_imported,
      usage_limit: reward.usage_limit,
      usage_limit_per_client: reward.usage_limit_per_client,
      notification_config: reward.notification_config,
    },
    started_at: now,
  };
}
