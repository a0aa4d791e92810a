import { commitOnce } from '@laurel/mongo';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';

/**
 * Deletes a project that has no passes, with its templates and what else belongs to it. The doors of its templates are taken away in the same
 * transaction, so that a pass that comes at this moment either shows, or finds no template.
 */
export async function deleteProject(
  deps: Pick<CoreDeps, 'connection' | 'projects' | 'templates' | 'passes' | 'belongings'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return commitOnce(deps.connection, async (session) => {
    if (!(await deps.projects.remove(workspaceId, id, session))) throw refusals.projectNotFound();
    for (const template of await deps.templates.list(workspaceId, id, session)) {
      await deps.templates.closeDoors(workspaceId, template.id, session);
      await deps.templates.remove(workspaceId, template.id, session);
    }
    if (await deps.passes.isAnyOn(workspaceId, { projectId: id }, session))
      throw refusals.projectHasPasses();
    for (const { removeOfProject } of deps.belongings)
      await removeOfProject(workspaceId, id, session);
    return {};
  });
}
