import type { CoreDeps } from '../deps';

/** Removes everything held of a workspace. */
export async function removeWorkspace(
  { passes, templates, projects }: Pick<CoreDeps, 'passes' | 'templates' | 'projects'>,
  workspaceId: string,
): Promise<void> {
  for (const store of [passes, templates, projects]) await store.removeWorkspace(workspaceId);
}
