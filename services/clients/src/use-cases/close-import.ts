import { platform } from '@laurel/errors';
import { checkAndCommitOnce } from '@laurel/mongo';
import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { ImportJob, ImportStore } from '../store/imports';
import { requireJob } from './get-import-job';
import { toJobReply } from './wire';

const FILE_BYTES_MAX = 50 * 1024 * 1024;

/**
 * Ends an upload and queues its rows. Repeatable: the file that comes again under its Idempotency-Key, in an upload of its
 * own, is answered with the first import and thrown away, and another file under the key is refused (CONFLICT).
 */
export async function closeImport(
  { connection, imports, clock }: Pick<Deps, 'connection' | 'imports' | 'clock'>,
  request: api.CloseImportRequest,
): Promise<api.ImportJob> {
  const { workspace_id: workspaceId, id, chunks } = request;
  const closed = await checkAndCommitOnce(
    connection,
    () => wholeUpload(imports, request),
    async (session, job) => {
      if (job.status !== 'uploading') return toJobReply(job);
      const isQueued = await imports.enqueue(job, { chunks, now: clock.now(), session });
      if (isQueued) return toJobReply({ ...job, status: 'pending' });
      // Since it was looked at it was closed by another call, or given up by a caller who waits no more: of that no reply is kept.
      return toJobReply(await requireJob(imports, workspaceId, id));
    },
  );
  if (closed.id !== id) await imports.abandon(workspaceId, id);
  return closed;
}

/** The upload, refused where not all of it is there. */
async function wholeUpload(
  imports: ImportStore,
  { workspace_id: workspaceId, id, chunks }: api.CloseImportRequest,
): Promise<ImportJob> {
  const job = await requireJob(imports, workspaceId, id);
  if (job.status !== 'uploading') return job;
  const sizes = await imports.chunkSizes(job);
  if (sizes.length !== chunks || chunks === 0) throw refusals.uploadIncomplete({ field: 'file' });
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > FILE_BYTES_MAX) throw platform.payloadTooLarge({ field: 'file' });
  return job;
}

/** Throws away an upload that broke off. */
export async function abandonImport(
  { imports }: Pick<Deps, 'imports'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  await imports.abandon(workspaceId, id);
  return {};
}
