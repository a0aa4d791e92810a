import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refersTo } from '../domain/segments/references';

/** The segments that name any of these things; asked before those are deleted (part 4, section 6). */
export async function findReferences(
  { segments }: Pick<Deps, 'segments'>,
  { workspace_id: workspaceId, kind, ids }: common.ReferencesRequest,
): Promise<common.ReferenceList> {
  const references = (await segments.list(workspaceId))
    .filter(({ filters }) => refersTo(filters, kind, ids))
    .map(({ id, name }) => ({ type: 'segment', id, name }));
  return { references };
}
