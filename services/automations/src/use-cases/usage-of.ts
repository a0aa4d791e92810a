import type { Deps } from '../deps';
import type { Rule } from '../domain/rule';
import { NO_USAGE, type Usage } from '../domain/usage';

/** What one rule has used up as a whole. */
export async function usageOf(
  { usages }: Pick<Deps, 'usages'>,
  { workspace_id: workspaceId, id }: Rule,
): Promise<Usage> {
  return (await usages.ofRules(workspaceId, [id])).get(id) ?? NO_USAGE;
}
