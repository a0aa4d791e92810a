import type { Deps } from '../deps';

const DAY_MS = 86_400_000;
const BATCH = 50;

/**
 * Throws away uploads that were begun a day ago and never closed, and files that were left behind: by a process that died
 * between ending an import and dropping its file, or by a piece that came in while its upload was given up.
 */
export async function dropStaleUploads({
  imports,
  clock,
}: Pick<Deps, 'imports' | 'clock'>): Promise<{ more: boolean }> {
  const before = new Date(clock.now().getTime() - DAY_MS);
  const stale = await imports.staleUploads(before, BATCH);
  for (const job of stale) await imports.abandon(job.workspace_id, job._id);
  await imports.dropLeftFiles();
  return { more: stale.length === BATCH };
}
