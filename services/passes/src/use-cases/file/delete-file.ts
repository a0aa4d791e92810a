import { unitOfWork } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import { refusals } from '../../refusals';
import { usersOfFile } from './file-users';

type Deps = Pick<
  PassDeps,
  'connection' | 'files' | 'templates' | 'passes' | 'rewards' | 'tiers' | 'identity'
>;

/** Deletes a file with its bytes. Refused while something shows it, with what does. */
export async function deleteFile(
  deps: Deps,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  if (!(await deps.files.find(workspaceId, id))) throw refusals.fileNotFound();
  const users = await usersOfFile(deps, { workspaceId, fileId: id });
  if (users.length > 0) throw refusals.fileInUse({ extensions: { used_by: users } });
  const isGone = await unitOfWork(deps.connection, (session) =>
    deps.files.remove(workspaceId, id, session),
  );
  if (!isGone) throw refusals.fileNotFound();
  return {};
}
