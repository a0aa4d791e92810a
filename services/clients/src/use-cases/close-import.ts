import { platform } from '@laurel/errors';
import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { requireJob } from './get-import-job';
import { toJobReply } from './wire';

const FILE_BYTES_MAX = 50 * 1024 * 1024;

/** Ends an upload and queues its rows. Repeatable. */
export async function closeImport(
  { imports, clock }: Pick<Deps, 'imports' | 'clock'>,
  { workspace_id: workspaceId, id, chunks }: api.CloseImportRequest,
): Promise<api.ImportJob> {
  const job = await requireJob(imports, workspaceId, id);
  const sizes = await imports.chunkSizes(job);
  if (job.status === 'uploading') {
    if (sizes.length !== chunks || chunks === 0) throw refusals.uploadIncomplete({ field: 'file' });
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (bytes > FILE_BYTES_MAX) throw platform.payloadTooLarge({ field: 'file' });
    await imports.enqueue(job, chunks, clock.now());
  }
  return toJobReply(await requireJob(imports, workspaceId, id));
}

/** Throws away an upload that broke off. */
export async function abandonImport(
  { imports }: Pick<Deps, 'imports'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  await imports.abandon(workspaceId, id);
  return {};
}
