import { type AppActionType, EVENT_AHEAD_DAYS_MAX } from '@laurel/contract';
import { invalidField, type Json, type JsonObject, platform } from '@laurel/errors';
import { holdKey } from '@laurel/mongo';
import type { passes as api, ledger as ledgerApi } from '@laurel/rpc';
import { momentNamed } from '@laurel/values/calendar';
import type { MobileDeps } from '../../deps';
import { formerAction } from '../../domain/mobile/former-action';
import { type Action, admits, reaches } from '../../domain/mobile/mobile-app';
import {
  complaintAboutMoment,
  isTooFarAhead,
  type StaffOperation,
} from '../../domain/mobile/staff-operation';
import { endOf, type Pass } from '../../domain/pass/pass';
import { refusals } from '../../refusals';
import type { DepartureDeps } from '../catch-up';
import { changeTier } from './execute/change-tier';
import { updateClientData } from './execute/client-data';
import { addPoints, removePoints } from './execute/points';
import { grantReward, redeemReward } from './execute/rewards';
import type { Execute, ExecuteDeps, Task } from './execute/task';
import { addTransaction } from './execute/transaction';
import { requireOpen } from './open-app';
import { recordOperation, staffOperationId } from './record-operation';
import { checkedActionData, formerActionData } from './schema/action-data';

type LedgerDeps = Pick<MobileDeps, 'ledger'>;
type Whose = Pick<Task, 'workspaceId' | 'clientId'>;

const EXECUTE: { [Type in AppActionType]: Execute } = {
  add_transaction: addTransaction,
  add_points: addPoints,
  remove_points: removePoints,
  redeem_reward: redeemReward,
  grant_reward: grantReward,
  update_client_data: updateClientData,
  change_tier: changeTier,
};

/**
 * Runs an action on a pass. The action must be of the workspace, enabled and open to the role, the pass within reach
 * and somebody's. Every effect is one command of one service under the operation of this call, so that a repeat of
 * the same operation pays once.
 */
export async function executeAppAction(
  deps: ExecuteDeps & DepartureDeps & MobileDeps,
  request: api.ExecuteMobileAppActionRequest,
): Promise<api.ExecutedMobileAppAction> {
  const first = deps.staffOperations.find(request.workspace_id, staffOperationId());
  const task = await taskOf(deps, request, first);
  const { action } = task;
  // The trail knows a purchase by its id alone, whatever is asked.
  if (action.action_type === 'add_transaction') await holdKey(deps.connection);
  const result = await EXECUTE[action.action_type](deps, task);
  const { action_type } = action;
  const wallets = walletsOf(deps, task);
  const { session_id: sessionId } = request;
  const record = async () => {
    const code = namedCodeOf(task) ?? walletCodeOf(result, await wallets);
    return recordOperation(deps, task, { result, sessionId, code });
  };
  const [operation_id, standing] = await Promise.all([record(), wallets]);
  const balances = standing.map(shownBalance);
  return { action_id: action.id, action_type, result, balances, operation_id };
}

/**
 * What is to be done on which pass, once all that can be said against it has been looked at.
 *
 * @param doneBefore where it was done before: a repeat is answered as the first time (part 3, section 1.3), whatever was switched
 *   off, deleted, ended or too long ago since
 */
export async function taskOf(
  deps: Pick<MobileDeps, 'mobileApps' | 'passes' | 'clock'>,
  request: api.ExecuteMobileAppActionRequest,
  doneBefore: Promise<StaffOperation | null> | null = null,
): Promise<Task> {
  const { workspace_id: workspaceId, role_id: roleId, action_id, data = {} } = request;
  const [{ config }, pass, first] = await Promise.all([
    deps.mobileApps.find(workspaceId),
    deps.passes.find(workspaceId, request.pass_id),
    doneBefore,
  ]);
  const known = config?.actions.find(({ id }) => id === action_id);
  const action = known ?? (first && formerAction(first, deps.clock.now()));
  if (!config || action?.id !== action_id) throw refusals.mobileActionNotFound();
  requireOpen(config, roleId);
  if (!pass || !reaches(config, pass.project_id)) throw refusals.passNotFound();
  const now = first?.at ?? deps.clock.now();
  requireMay(action, roleId);
  if (!first && !action.is_enabled) throw refusals.mobileActionDisabled();
  const sent = known ? checkedActionData(known, data) : formerActionData(action, data);
  requireDate(sent.own, now);
  if (!first) requireValid(pass, now);
  if (!pass.client_id) throw refusals.passOfNobody({ field: 'pass_id' });
  return {
    workspaceId,
    config,
    action,
    passId: pass.id,
    clientId: pass.client_id,
    data: sent.own,
    answers: sent.answers,
    occurredAt: momentOf(action, request.occurred_at, now),
  };
}

/** Staff may note when a purchase was, which is held to what every event is. */
function requireDate({ transaction_timestamp: date }: JsonObject, now: Date): void {
  if (typeof date !== 'string' || !isTooFarAhead(momentNamed(date), now)) return;
  const field = 'data.transaction_timestamp';
  const message = `${field} must not be more than ${EVENT_AHEAD_DAYS_MAX} days in the future`;
  throw invalidField(field, message);
}

/** When it happened, where a till tells of it later. */
function momentOf({ action_type }: Action, text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const occurredAt = momentNamed(text);
  const complaint = complaintAboutMoment(occurredAt, action_type, now);
  if (complaint !== null) throw invalidField('occurred_at', `occurred_at: ${complaint}`);
  return occurredAt;
}

/** Which currency points were of, where it was named. */
const namedCodeOf = ({ data: { wallet_type_code: code } }: Task): string | null =>
  typeof code === 'string' ? code : null;

/** Which currency points were of: that of the wallet that they moved in. */
function walletCodeOf(result: Json, wallets: readonly ledgerApi.WalletOfType[]): string | null {
  const { client_wallet_id: id } = result as JsonObject;
  return wallets.find(({ wallet }) => wallet!.id === id)?.wallet_type?.code ?? null;
}

/** A card that ended is shown as such, and nothing is done with it (part 4, section 4). */
function requireValid(pass: Pick<Pass, 'status' | 'expires_at'>, now: Date): void {
  const end = endOf(pass, now);
  if (end === null) return;
  const message = end === 'voided' ? 'the pass is voided' : 'the pass has expired';
  throw refusals.passEnded({ field: 'pass_id', message });
}

function requireMay({ allowed_role_ids }: Action, roleId: string): void {
  if (!admits(allowed_role_ids, roleId))
    throw platform.forbidden({ message: 'your role may not run this action' });
}

export const balancesOf = async (deps: LedgerDeps, whose: Whose): Promise<api.MobileBalance[]> =>
  (await walletsOf(deps, whose)).map(shownBalance);

async function walletsOf(
  { ledger }: LedgerDeps,
  { workspaceId, clientId }: Whose,
): Promise<ledgerApi.WalletOfType[]> {
  const request = { workspace_id: workspaceId, client_id: clientId };
  return (await ledger.GetBalances(request)).wallets;
}

const shownBalance = ({ wallet, wallet_type }: ledgerApi.WalletOfType): api.MobileBalance => ({
  wallet_type_code: wallet_type!.code,
  active_balance: wallet!.active_balance,
  pending_balance: wallet!.pending_balance,
});
