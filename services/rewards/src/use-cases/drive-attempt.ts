import { Refusal } from '@laurel/errors';
import { beyondRequest } from '@laurel/lifecycle';
import { isDuplicateKey } from '@laurel/mongo';
import type { rewards as api, ledger as ledgerApi } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { countsTowardsLimits } from '../domain/availability';
import { type Attempt, spendOperation } from '../domain/redemption';
import { refusals } from '../refusals';
import { completeAttempt, LostAttempt } from './complete-attempt';
import { presentRedeemed } from './present-redeemed';
import { undoAttempt } from './undo-attempt';

class RewardChanged extends Error {}

/**
 * Takes an attempt from its first step to its redemption. Whatever goes wrong on the way is undone
 * before the caller has an answer; 'changed' when the reward was changed and must be decided on anew.
 */
export async function driveAttempt(
  deps: Deps,
  attempt: Attempt,
  operationKey: string,
): Promise<api.Redeemed | 'changed'> {
  try {
    await reserve(deps, attempt);
    const pointsLedgerId = attempt.cost > 0 ? await spend(deps, attempt) : null;
    return await completeAttempt(deps, { attempt, operationKey, pointsLedgerId });
  } catch (error) {
    return await afterFailure(deps, { attempt, operationKey }, error);
  }
}

async function afterFailure(
  deps: Deps,
  { attempt, operationKey }: { attempt: Attempt; operationKey: string },
  error: unknown,
): Promise<api.Redeemed | 'changed'> {
  const { id, workspace_id: workspaceId } = attempt;
  const isRefused = error instanceof Refusal && error.httpStatus < 500;
  // What cannot be undone now is the sweeper's.
  await beyondRequest(() => undoAttempt(deps, attempt, isRefused)).catch((failure: unknown) =>
    deps.logger.warn({ err: failure, redemption_id: id }, 'a redemption waits to be undone'),
  );
  if (error instanceof RewardChanged) return 'changed';
  if (isRefused) throw error;
  const redemption = isDuplicateKey(error)
    ? await deps.redemptions.findByOperation(workspaceId, operationKey)
    : await deps.redemptions.find(workspaceId, id);
  if (redemption) return presentRedeemed(deps, redemption);
  throw error instanceof LostAttempt ? refusals.stillRunning({ retryAfterSeconds: 1 }) : error;
}

/** The client's share first: a client that clicks too often takes nothing from the others meanwhile. */
async function reserve({ usages, rewards }: Deps, attempt: Attempt): Promise<void> {
  const { id, workspace_id: workspaceId, reward_id: rewardId, client_id: clientId } = attempt;
  const counted = countsTowardsLimits(attempt.payment);
  const { usage_limit, usage_limit_per_client: clientLimit, revision } = attempt.reward;
  const share = { limit: clientLimit, mark: id };
  if (counted && !(await usages.reserve(workspaceId, { rewardId, clientId }, share)))
    throw refusals.client_limit_reached();
  const reward = { id: rewardId, revision, usage_limit };
  const reservation = await rewards.reserve(workspaceId, reward, { mark: id, counted });
  if (reservation === 'limit_reached') throw refusals.usage_limit_reached();
  if (reservation === 'changed') throw new RewardChanged();
}

/** The operation's name makes a repeat the same spend. Resolves with the entry's id. */
async function spend({ ledger }: Deps, attempt: Attempt): Promise<string> {
  const { entry } = await speakingOurs(ledger.SpendPoints(paymentOf(attempt)));
  return entry!.id;
}

/** What the ledger is asked for a reward that costs something. */
export function paymentOf(attempt: Attempt): ledgerApi.SpendRequest {
  const { id, workspace_id, client_id, cost, reward, reward_id } = attempt;
  return {
    workspace_id,
    client_id,
    amount: toDecimal(cost),
    wallet_type_id: reward.wallet_type_id!,
    description: reward.name,
    source_type: 'redemption',
    source_id: id,
    metadata: { reward_id },
    operation_id: spendOperation(id),
  };
}

/** Does something in the ledger, whose refusals then are those of a redemption. */
export async function speakingOurs<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asOurs(error);
  }
}

/** The ledger's refusals in the words of a redemption. */
function asOurs(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.httpStatus >= 500) return error;
  const [problem] = error.problems;
  switch (problem?.extensions?.reason) {
    case 'insufficient_balance':
      return refusals.insufficient_points();
    case 'wallet_type_inactive':
      return refusals.wallet_type_inactive();
    case 'client_anonymized':
    case 'wallet_closed':
      return refusals.client_not_active();
  }
  return problem?.field === 'client_id' ? refusals.unknownClient() : error;
}
