import { idIn } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Entries by id. */
export async function search(
  { entries }: Pick<Deps, 'entries'>,
  { workspace_id: workspaceId, q, types }: common.SearchRequest,
): Promise<common.HitList> {
  const id = types.includes('entry') ? idIn(q) : null;
  const entry = id === null ? null : await entries.find(workspaceId, id);
  if (!entry) return { hits: [] };
  const { _id, type, wallet_type_code } = entry;
  return {
    hits: [{ type: 'entry', id: _id, title: type, subtitle: wallet_type_code, matched: 'id' }],
  };
}
