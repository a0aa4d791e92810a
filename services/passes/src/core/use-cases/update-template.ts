import { commitOnce, type Session } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { changedTemplate, type Template } from '../domain/template';
import { authorship } from './author';
import { queueWalletUpdate } from './queue-wallet-update';
import { withStatistics } from './read-templates';
import { requireKnownReferences, templateFieldsOf } from './template-fields';
import { warningsOf } from './template-warnings';

/** Changes a template and asks for wallet updates of its passes. Two changes at once are applied one after the other. */
export async function updateTemplate(
  deps: CoreDeps,
  request: api.UpdateTemplateRequest,
): Promise<api.SavedTemplate> {
  const { workspace_id: workspaceId, id } = request;
  const changes = templateFieldsOf(request.fields ?? {});
  await requireKnownReferences(deps, workspaceId, changes);
  const author = authorship(deps);
  const template = await commitOnce(deps.connection, async (session) => {
    const current = await deps.templates.find(workspaceId, id, session);
    if (!current) throw refusals.passTemplateNotFound();
    const moved = await inProject(deps, current, request.project_id, session);
    const changed = changedTemplate(moved, changes, author);
    await deps.templates.replace(changed, session);
    await queueWalletUpdate(deps, { workspaceId, templateIds: [id] }, session);
    return changed;
  });
  const [reply] = await withStatistics(deps, workspaceId, [template]);
  return { template: reply!, warnings: await warningsOf(deps, workspaceId, template) };
}

/** The template in another project; only while nobody's pass says that it is of this one. */
async function inProject(
  deps: CoreDeps,
  template: Template,
  projectId: string | undefined,
  session: Session,
): Promise<Template> {
  if (projectId === undefined || projectId === template.project_id) return template;
  const { id, workspace_id: workspaceId } = template;
  if (!(await deps.projects.touch(workspaceId, projectId, session)))
    throw refusals.unknownProject({ field: 'project_id' });
  await deps.templates.closeDoors(workspaceId, id, session);
  if (await deps.passes.isAnyOn(workspaceId, id, session))
    throw refusals.templateInUse({ field: 'project_id' });
  await deps.templates.openDoors(workspaceId, id, session);
  return { ...template, project_id: projectId };
}
