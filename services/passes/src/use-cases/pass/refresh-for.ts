import type { EventOf } from '@laurel/events';
import type { PassDeps } from '../../deps';
import { queueWalletUpdate } from './queue-wallet-update';

/** Events about one client after which its passes show something else. A `*` in a binding stands for a whole word only. */
export const CLIENT_CHANGES = [
  'loyalty.points_earned',
  'loyalty.points_spent',
  'loyalty.points_adjusted',
  'loyalty.points_expired',
  'loyalty.points_matured',
  'loyalty.points_locked',
  'loyalty.points_unlocked',
  'loyalty.points_cancelled',
  'loyalty.points_refunded',
  'loyalty.points_transferred',
  'rewards.reward_redeemed',
  'rewards.reward_used',
  'rewards.use_taken_back',
  'rewards.reward_cancelled',
  'tiers.tier_promoted',
  'tiers.tier_demoted',
  'clients.updated',
] as const;

/** Events about a workspace's programme after which all its passes may show something else. */
export const PROGRAMME_CHANGES = [
  'loyalty.wallet_type_created',
  'loyalty.wallet_type_updated',
  'loyalty.wallet_type_deleted',
  'rewards.reward_changed',
  'tiers.tier_created',
  'tiers.tier_updated',
  'tiers.tier_deleted',
  'tiers.tier_set_deleted',
  'identity.workspace_updated',
  'identity.settings_updated',
] as const;

/** Asks for wallet updates of the passes of all clients that the events are about. */
export async function refreshClients(
  deps: PassDeps,
  events: readonly EventOf<(typeof CLIENT_CHANGES)[number]>[],
): Promise<void> {
  const clientIds = new Map<string, Set<string>>();
  for (const { workspaceid: workspaceId, data } of events) {
    clientIds.set(workspaceId, (clientIds.get(workspaceId) ?? new Set()).add(data.client_id));
  }
  for (const [workspaceId, ids] of clientIds)
    await queueWalletUpdate(deps, { workspaceId, clientIds: [...ids] });
}

/** Asks for wallet updates of every pass of a workspace, template by template. */
export async function refreshWorkspace(deps: PassDeps, workspaceId: string): Promise<number> {
  const templateIds = await deps.passes.templatesInUse(workspaceId);
  await queueWalletUpdate(deps, { workspaceId, templateIds });
  return templateIds.length;
}
