import type { Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { fileIdsIn, usersOfFile } from './file-users';

export type ForgetFilesDeps = Pick<
  PassDeps,
  'files' | 'templates' | 'passes' | 'mobileApps' | 'rewards' | 'tiers' | 'identity'
>;

/** Deletes the pictures that only these passes of somebody who is gone showed, such as their photo. */
export async function forgetFiles(
  deps: ForgetFilesDeps,
  { workspaceId, passes }: { workspaceId: string; passes: readonly Pass[] },
  session: Session,
): Promise<void> {
  const gone = new Set(passes.map(({ id }) => id));
  const named = new Set(passes.flatMap(({ pass_fields }) => fileIdsIn(pass_fields)));
  for (const fileId of named) {
    if (!(await deps.files.find(workspaceId, fileId))) continue;
    const others = await usersOfFile(deps, { workspaceId, fileId }, gone);
    if (others.length === 0) await deps.files.remove(workspaceId, fileId, session);
  }
}
