import { idIn, namedLike } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Rules by id or part of their name. */
export async function search(
  { rules }: Pick<Deps, 'rules'>,
  { workspace_id: workspaceId, q, types, limit }: common.SearchRequest,
): Promise<common.HitList> {
  if (!types.includes('rule')) return { hits: [] };
  const id = idIn(q);
  const byId = id === null ? null : await rules.find(workspaceId, id);
  const found = byId ? [byId] : namedLike(await rules.list(workspaceId), q, limit);
  const matched = byId ? 'id' : 'name';
  return {
    hits: found.map((row) => ({
      type: 'rule',
      id: row.id,
      title: row.name,
      subtitle: null,
      matched,
    })),
  };
}
