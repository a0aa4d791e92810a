import type { Deps } from '../deps';

/** Nothing of a deleted workspace stays. Repeating it is harmless. */
export async function removeWorkspace(
  { actions, audience, campaigns }: Deps,
  workspaceId: string,
): Promise<void> {
  for (const store of [campaigns, actions, audience]) await store.removeWorkspace(workspaceId);
}
