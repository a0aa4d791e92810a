import { invalidPayload } from '@laurel/errors';
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
  const wrong = named.filter(({ id }) => unknown.includes(id));
  const problems = wrong.flatMap(({ field }) => refusals.unknownFile({ field }).problems);
  if (problems.length > 0) throw invalidPayload(problems);
  return {};
}
