import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

/** The tiers that put one of these things on the passes of their members; asked before those are deleted (docs/adr/0015). */
export async function findReferences(
  { tiers }: Pick<Deps, 'tiers'>,
  { workspace_id: workspaceId, kind, ids }: common.ReferencesRequest,
): Promise<common.ReferenceList> {
  const all = kind === 'pass_template' ? await tiers.list(workspaceId) : [];
  const references = all
    .filter(({ pass_template_id: named }) => named !== null && ids.includes(named))
    .map(({ id, name }) => ({ type: 'tier', id, name }));
  return { references };
}
