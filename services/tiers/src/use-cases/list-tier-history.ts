import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireMember } from './get-client-tier';

/** A client's changes of tier, newest first. An unknown client is refused. */
export async function listTierHistory(
  deps: Pick<Deps, 'history' | 'members' | 'clients'>,
  { workspace_id: workspaceId, client_id: clientId, limit }: api.ListTierHistoryRequest,
): Promise<api.TierHistory> {
  await requireMember(deps, workspaceId, clientId);
  const rows = await deps.history.list(workspaceId, clientId, limit);
  return {
    entries: rows.map(({ from_tier_id, to_tier_id, reason, at }) => ({
      from_tier_id,
      to_tier_id,
      reason,
      at: at.toISOString(),
    })),
  };
}
