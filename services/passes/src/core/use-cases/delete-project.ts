import { commitOnce } from '@laurel/mongo';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { removeUnused } from './delete-template';

/** Deletes a project that has no passes, with its templates and what else belongs to it. */
export async function deleteProject(
  deps: Pick<CoreDeps, 'connection' | 'projects' | 'templates' | 'passes' | 'belongings'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return commitOnce(deps.connection, async (session) => {
    if (!(await deps.projects.remove(workspaceId, id, session))) throw refusals.projectNotFound();
    for (const template of await deps.templates.list(workspaceId, id, session)) {
      if (!(await removeUnused(deps, workspaceId, template.id, session)))
        throw refusals.projectHasPasses();
    }
    for (const { removeOfProject } of deps.belongings)
      await removeOfProject(workspaceId, id, session);
    return {};
  });
}
