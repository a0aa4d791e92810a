import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refersTo } from '../domain/references';

/** The active rules that name any of these things; asked before those are deleted (part 4, section 6). */
export async function findReferences(
  { rules }: Pick<Deps, 'rules'>,
  { workspace_id: workspaceId, kind, ids }: common.ReferencesRequest,
): Promise<common.ReferenceList> {
  const active = await rules.list(workspaceId, { active: true });
  const references = active
    .filter((rule) => refersTo(rule, kind, ids))
    .map(({ id, name }) => ({ type: 'rule', id, name }));
  return { references };
}
