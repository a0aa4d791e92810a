import type { Deps } from '../deps';

const DAY_MS = 86_400_000;
const BATCH = 50;

/** Throws away uploads that were begun a day ago and never closed. */
export async function dropStaleUploads({
  imports,
  clock,
}: Pick<Deps, 'imports' | 'clock'>): Promise<{ more: boolean }> {
  const before = new Date(clock.now().getTime() - DAY_MS);
  const stale = await imports.staleUploads(before, BATCH);
  for (const job of stale) await imports.abandon(job.workspace_id, job._id);
  return { more: stale.length === BATCH };
}
