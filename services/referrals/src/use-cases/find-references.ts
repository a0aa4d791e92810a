import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

/** The workspace has one programme at most, which has no name. */
const NAME = 'referral programme';

/** The programme, where it builds its links on one of these distributions; asked before those are deleted. */
export async function findReferences(
  { programs }: Pick<Deps, 'programs'>,
  { workspace_id: workspaceId, kind, ids }: common.ReferencesRequest,
): Promise<common.ReferenceList> {
  const program = kind === 'distribution' ? await programs.find(workspaceId) : null;
  const isNamed = program?.distribution_id != null && ids.includes(program.distribution_id);
  const references = isNamed ? [{ type: 'referral_program', id: program.id, name: NAME }] : [];
  return { references };
}
