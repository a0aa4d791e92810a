import { unitOfWork } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import { refusals } from '../../refusals';
import { usersOfFile } from './file-users';

type Deps = Pick<
  PassDeps,
  | 'clients'
  | 'connection'
  | 'files'
  | 'templates'
  | 'passes'
  | 'mobileApps'
  | 'rewards'
  | 'tiers'
  | 'identity'
>;

/**
 * Deletes a file with its bytes. Refused while something shows it, with what does. Asked after the row is taken away, in the
 * same transaction: a template that takes the file up writes the row, too, so it is seen here, or finds no file.
 */
export async function deleteFile(
  deps: Deps,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return unitOfWork(deps.connection, async (session) => {
    if (!(await deps.files.remove(workspaceId, id, session))) throw refusals.fileNotFound();
    const users = await usersOfFile(deps, { workspaceId, fileId: id });
    if (users.length > 0) throw refusals.fileInUse({ extensions: { used_by: users } });
    return {};
  });
}
