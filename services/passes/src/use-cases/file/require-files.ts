import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { refusals } from '../../refusals';

/** For who keeps ids of files elsewhere: refuses those that are none of the workspace. */
export async function requireFiles(
  { files }: Pick<PassDeps, 'files'>,
  { workspace_id, files: named }: api.RequireFilesRequest,
): Promise<Record<string, never>> {
  const unknown = await files.unknownAmong(
    workspace_id,
    named.map(({ id }) => id),
  );
  const wrong = named.find(({ id }) => unknown.includes(id));
  if (wrong) throw refusals.unknownFile({ field: wrong.field });
  return {};
}
