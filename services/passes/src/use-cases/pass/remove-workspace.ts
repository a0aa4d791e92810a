import type { PassDeps } from '../../deps';

/** Removes everything held of a workspace. */
export async function removeWorkspace(
  {
    dailyPasses,
    files,
    formerBarcodes,
    passUpdates,
    retiredPasses,
    templateRefreshes,
    passes,
    templates,
    projects,
  }: Pick<
    PassDeps,
    | 'dailyPasses'
    | 'files'
    | 'formerBarcodes'
    | 'passUpdates'
    | 'retiredPasses'
    | 'templateRefreshes'
    | 'passes'
    | 'templates'
    | 'projects'
  >,
  workspaceId: string,
): Promise<void> {
  for (const store of [
    templateRefreshes,
    passes,
    formerBarcodes,
    passUpdates,
    retiredPasses,
    templates,
    projects,
    files,
    dailyPasses,
  ])
    await store.removeWorkspace(workspaceId);
}
