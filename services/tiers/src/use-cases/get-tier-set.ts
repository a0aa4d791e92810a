import { etagOf } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { readConfiguration } from './read-programme';
import { toTierSetReply } from './wire';

/** The tier set of a workspace with its tiers; nothing without one. */
export async function getTierSet(
  deps: Pick<Deps, 'tierSets' | 'tiers'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.TierSetReply> {
  const configuration = await readConfiguration(deps, workspaceId);
  if (!configuration) return {};
  const { set, tiers } = configuration;
  return { tier_set: { ...toTierSetReply(set, tiers), etag: etagOf(set) } };
}
