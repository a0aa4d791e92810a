import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

/** What failed longer ago than that has been seen, or does not matter any more. */
const LOOK_BACK_MS = 14 * 86_400_000;

/** Imports of clients that broke off lately. */
export async function listAttention(
  { clock, imports }: Pick<Deps, 'clock' | 'imports'>,
  { workspace_id: workspaceId }: common.AttentionRequest,
): Promise<common.AttentionList> {
  const since = new Date(clock.now().getTime() - LOOK_BACK_MS);
  const jobs = await imports.failedSince(workspaceId, since);
  return {
    items: jobs.map((job) => ({
      kind: 'import_failed',
      severity: 'error',
      count: job.failed,
      since: (job.finished_at ?? since).toISOString(),
      subject_type: 'client_import',
      subject_id: job._id,
      subject_name: job.format,
    })),
  };
}
