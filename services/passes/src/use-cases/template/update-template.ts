import { checkAndCommitOnce, etagOf, requireUnchanged, type Session } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { changedTemplate, type Template } from '../../domain/template/template';
import { refusals } from '../../refusals';
import { authorship } from '../pass/author';
import { keyGiven, underKey } from '../pass/keys';
import { queueWalletUpdate } from '../pass/queue-wallet-update';
import { withStatistics } from './read-templates';
import { requireKnownReferences, takeUpImages, templateFieldsOf } from './template-fields';
import { warningsOf } from './template-warnings';

/** Changes a template and asks for wallet updates of its passes. Two changes at once are applied one after the other. */
export async function updateTemplate(
  deps: PassDeps,
  request: api.UpdateTemplateRequest,
): Promise<api.SavedTemplate> {
  const { workspace_id: workspaceId, id } = request;
  const changes = templateFieldsOf(request.fields ?? {});
  const check = () => requireKnownReferences(deps, workspaceId, changes);
  const author = authorship(deps);
  const template = await checkAndCommitOnce(deps.connection, check, async (session) => {
    const current = await deps.templates.find(workspaceId, id, session);
    if (!current) throw refusals.passTemplateNotFound();
    requireUnchanged({ ...current, changedAt: current.date_updated });
    const moved = await inProject(
      deps,
      { template: current, projectId: request.project_id },
      session,
    );
    const key = keyGiven(current.key, changes.key);
    const changed = changedTemplate(moved, { ...changes, key }, author);
    await takeUpImages(deps, { workspaceId, fields: changes }, session);
    await underKey(deps.templates.replace(changed, session));
    await queueWalletUpdate(deps, { workspaceId, templateIds: [id] }, session);
    return changed;
  });
  const [reply] = await withStatistics(deps, workspaceId, [template]);
  const etag = etagOf({ id, revision: template.revision + 1 });
  const warnings = await warningsOf(deps, workspaceId, template);
  return { template: { ...reply!, etag }, warnings };
}

/** The template in another project, with the forms that give it out; only while no pass says that it is of this one. */
async function inProject(
  deps: PassDeps,
  { template, projectId }: { template: Template; projectId: string | undefined },
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
  for (const { moveToTemplate } of deps.belongings)
    await moveToTemplate(workspaceId, { from: id, target: { id, project_id: projectId } }, session);
  return { ...template, project_id: projectId };
}
