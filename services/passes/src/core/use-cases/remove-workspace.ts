import type { CoreDeps } from '../deps';

/** Removes everything held of a workspace. */
export async function removeWorkspace(
  {
    passUpdates,
    templateRefreshes,
    passes,
    templates,
    projects,
  }: Pick<CoreDeps, 'passUpdates' | 'templateRefreshes' | 'passes' | 'templates' | 'projects'>,
  workspaceId: string,
): Promise<void> {
  for (const store of [templateRefreshes, passes, passUpdates, templates, projects])
    await store.removeWorkspace(workspaceId);
}
