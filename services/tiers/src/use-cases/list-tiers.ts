import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toTierReply } from './wire';

/** All tiers of a workspace, lowest first. */
export async function listTiers(
  { tiers }: Pick<Deps, 'tiers'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.TierList> {
  return { tiers: (await tiers.list(workspaceId)).map(toTierReply) };
}

/** Tiers by id, lowest first; unknown ids are left out. */
export async function getTiers(
  { tiers }: Pick<Deps, 'tiers'>,
  { workspace_id: workspaceId, ids }: api.TierIds,
): Promise<api.TierList> {
  const wanted = new Set(ids);
  const all = await tiers.list(workspaceId);
  return { tiers: all.filter(({ id }) => wanted.has(id)).map(toTierReply) };
}
