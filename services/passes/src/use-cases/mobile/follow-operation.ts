import type { passes as api, automations } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import type { StaffOperation } from '../../domain/mobile/staff-operation';
import { refusals } from '../../refusals';
import { balancesOf } from './execute-app-action';
import { openApp } from './open-app';

type FollowDeps = Pick<
  MobileDeps,
  'automations' | 'ledger' | 'mobileApps' | 'rewards' | 'staffOperations' | 'tiers'
>;

/** What came of an operation of this device: a purchase earns by rules, after the till was answered (docs/adr/0036). */
export async function followOperation(
  deps: FollowDeps,
  request: api.FollowOperationRequest,
): Promise<api.FollowedOperation> {
  const { workspace_id: workspaceId, session_id: sessionId, id } = request;
  await openApp(deps, request);
  const operation = await deps.staffOperations.find(workspaceId, id);
  if (operation?.sessionId !== sessionId) throw refusals.operationNotFound();
  const { done, gifts, failed_rules } = await outcomeOf(deps, operation, request.wait_ms);
  const [rewards, balances, { tier }] = await Promise.all([
    rewardsOf(deps, workspaceId, gifts),
    balancesOf(deps, operation),
    deps.tiers.GetClientTier({ workspace_id: workspaceId, client_id: operation.clientId }),
  ]);
  return {
    id,
    state: done ? 'done' : 'running',
    entries: [...ownEntry(operation), ...gifts.flatMap(entryOf)],
    rewards,
    ...(tier ? { tier } : {}),
    failed_rules,
    balances,
    undone_at: operation.undoneAt?.toISOString() ?? null,
  };
}

/** Rules follow a purchase or refund; anything else was done when it was answered. */
async function outcomeOf(
  { automations: peer }: FollowDeps,
  { workspaceId, clientId, eventId, at }: StaffOperation,
  waitMs: number,
): Promise<automations.FollowedEvent> {
  if (eventId === null) return { done: true, gifts: [], failed_rules: [] };
  return peer.FollowEvent({
    workspace_id: workspaceId,
    client_id: clientId,
    event_id: eventId,
    // Rules may have run before the operation was noted.
    since: new Date(at.getTime() - CLOCKS_MS).toISOString(),
    wait_ms: waitMs,
  });
}
const CLOCKS_MS = 60_000;

function ownEntry({ effect, amount, walletTypeCode }: StaffOperation): api.OperationEntry[] {
  if (effect?.type !== 'entry' || amount === null || walletTypeCode === null) return [];
  return [{ id: effect.id, wallet_type_code: walletTypeCode, amount, rule_name: null }];
}

function entryOf({ entry_id: id, wallet_type_code, points, rule_name }: automations.Gift) {
  if (id === undefined || wallet_type_code === undefined || points === undefined) return [];
  return [{ id, wallet_type_code, amount: points, rule_name }];
}

async function rewardsOf(
  { rewards: peer }: FollowDeps,
  workspace_id: string,
  gifts: readonly automations.Gift[],
): Promise<api.OperationReward[]> {
  const ids = [...new Set(gifts.flatMap(({ reward_id }) => reward_id ?? []))];
  if (ids.length === 0) return [];
  const { rewards } = await peer.GetRewards({ workspace_id, ids });
  const names = new Map(rewards.map(({ id, name }) => [id, name]));
  return gifts.flatMap(({ reward_id: id, redemption_id, coupon_code = null, rule_name }) => {
    const name = id === undefined ? undefined : names.get(id);
    if (id === undefined || name === undefined || redemption_id === undefined) return [];
    return [{ id, name, redemption_id, coupon_code, rule_name }];
  });
}
