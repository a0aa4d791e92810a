import { etagOf } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toTierReply } from './wire';

/** One tier. An unknown one is refused as invalid, as part 1 asks. */
export async function getTier(
  { tiers }: Pick<Deps, 'tiers'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.Tier> {
  const tier = await tiers.find(workspaceId, id);
  if (!tier) throw refusals.tierNotFound({ field: 'id' });
  return { ...toTierReply(tier), etag: etagOf(tier) };
}
