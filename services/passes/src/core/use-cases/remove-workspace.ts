import type { CoreDeps } from '../deps';

/** Removes everything held of a workspace. */
export async function removeWorkspace(
  {
    files,
    passUpdates,
    templateRefreshes,
    passes,
    templates,
    projects,
  }: Pick<
    CoreDeps,
    'files' | 'passUpdates' | 'templateRefreshes' | 'passes' | 'templates' | 'projects'
  >,
  workspaceId: string,
): Promise<void> {
  for (const store of [templateRefreshes, passes, passUpdates, templates, projects, files])
    await store.removeWorkspace(workspaceId);
}
