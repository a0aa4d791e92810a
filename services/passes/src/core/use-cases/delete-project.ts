import { commitOnce } from '@laurel/mongo';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { removeUnused } from './delete-template';

/**
 * Deletes a project that has no passes, with its templates and what else belongs to it, unless something in use names
 * any of that.
 */
export async function deleteProject(
  deps: Pick<
    CoreDeps,
    'connection' | 'projects' | 'templates' | 'passes' | 'belongings' | 'references'
  >,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  const templateIds = (await deps.templates.list(workspaceId, id)).map((template) => template.id);
  await deps.references.requireUnreferenced(workspaceId, 'pass_template', templateIds);
  for (const { distributionsOf } of deps.belongings)
    await deps.references.requireUnreferenced(
      workspaceId,
      'distribution',
      await distributionsOf(workspaceId, id),
    );
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
