import { commitOnce, requireUnchanged } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import { refusals } from '../../refusals';
import { removeUnused } from '../template/delete-template';

/**
 * Deletes a project that has no passes, with its templates and what else belongs to it, unless something in use names
 * any of that.
 */
export async function deleteProject(
  deps: Pick<
    PassDeps,
    'connection' | 'projects' | 'templates' | 'passes' | 'belongings' | 'references'
  >,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return commitOnce(deps.connection, async (session) => {
    const project = await deps.projects.find(workspaceId, id, session);
    if (!project) throw refusals.projectNotFound();
    requireUnchanged({ ...project, changedAt: project.changed_at });
    // The write with the guard: from here on no call changes what is about to go.
    await deps.projects.replace(project, session);
    await deps.projects.remove(workspaceId, id, session);
    const templates = await deps.templates.list(workspaceId, { projectId: id }, session);
    for (const template of templates) {
      if (!(await removeUnused(deps, { workspaceId, id: template.id }, session)))
        throw refusals.projectHasPasses();
    }
    const distributionIds: string[] = [];
    for (const { removeOfProject } of deps.belongings)
      distributionIds.push(...(await removeOfProject(workspaceId, id, session)));
    const { references } = deps;
    const templateIds = templates.map((template) => template.id);
    await references.requireUnreferenced(workspaceId, 'pass_template', templateIds);
    await references.requireUnreferenced(workspaceId, 'distribution', distributionIds);
    return {};
  });
}
