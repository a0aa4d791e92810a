import { idIn, namedLike } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

/** The newest of them: no workspace has more that matter. */
const LOOKED_AT = 2_000;

/** Campaigns by id or part of their name. */
export async function search(
  { campaigns }: Pick<Deps, 'campaigns'>,
  { workspace_id: workspaceId, q, types, limit }: common.SearchRequest,
): Promise<common.HitList> {
  if (!types.includes('campaign')) return { hits: [] };
  const id = idIn(q);
  const byId = id === null ? null : await campaigns.findHead(workspaceId, id);
  const found = byId ? [byId] : namedLike(await campaigns.newest(workspaceId, LOOKED_AT), q, limit);
  const matched = byId ? 'id' : 'name';
  return {
    hits: found.map((row) => ({
      type: 'campaign',
      id: row.id,
      title: row.name,
      subtitle: null,
      matched,
    })),
  };
}
