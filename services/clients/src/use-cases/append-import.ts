import { platform } from '@laurel/errors';
import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireJob } from './get-import-job';

/** 50 MiB in pieces of at most 1 MiB, with some slack for pieces that are smaller. */
const CHUNK_BYTES_MAX = 1024 * 1024;
const CHUNKS_MAX = 2_000;

/** Keeps one piece of an upload that is still open. Repeatable. */
export async function appendImport(
  { imports }: Pick<Deps, 'imports'>,
  { workspace_id: workspaceId, id, index, chunk }: api.AppendImportRequest,
): Promise<common.Empty> {
  const job = await requireJob(imports, workspaceId, id);
  if (job.status !== 'uploading') {
    throw platform.conflict({ message: 'the upload was closed already' });
  }
  if (chunk.length > CHUNK_BYTES_MAX || index >= CHUNKS_MAX) throw platform.payloadTooLarge();
  await imports.putChunk(job, index, chunk);
  return {};
}
