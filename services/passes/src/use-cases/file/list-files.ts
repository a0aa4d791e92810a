import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { toFileReply } from './wire';

/** The files of a workspace, newest first; those that were fetched for it among them. */
export async function listFiles(
  { files }: Pick<PassDeps, 'files'>,
  { workspace_id, ...wanted }: api.ListFilesRequest,
): Promise<api.FilePage> {
  const page = await files.list(workspace_id, wanted);
  const listed = page.files.map((file) => ({
    file: toFileReply(file),
    date_created: file.date_created.toISOString(),
  }));
  return { files: listed, next_cursor: page.nextCursor };
}
