import { orBeforeUpgrade } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Whom clients became that were merged into another; those that were not are left out. */
export async function successorsOf(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const asked = clients.ListSuccessors({ workspace_id: workspaceId, ids: [...ids] });
  const { successors } = await orBeforeUpgrade(asked, () => ({ successors: [] }));
  return new Map(successors.map(({ id, current_id }) => [id, current_id]));
}
