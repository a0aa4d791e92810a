import { newId } from '@laurel/lifecycle';
import { checkAndCommitOnce } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { newTemplate } from '../../domain/template/template';
import { refusals } from '../../refusals';
import { authorship } from '../pass/author';
import { underKey } from '../pass/keys';
import { lookOfBrand } from './look-of-brand';
import { withStatistics } from './read-templates';
import { requireKnownReferences, takeUpImages, templateFieldsOf } from './template-fields';
import { warningsOf } from './template-warnings';

/** Creates a template of a project. What it names must be of the workspace; the answer names what nothing fills. */
export async function createTemplate(
  deps: PassDeps,
  { workspace_id: workspaceId, project_id: projectId, fields }: api.CreateTemplateRequest,
): Promise<api.SavedTemplate> {
  const checked = templateFieldsOf(fields!);
  const check = async () => {
    await requireKnownReferences(deps, workspaceId, checked);
    const look = await lookOfBrand(deps, workspaceId);
    const named = { ...look, ...checked, name: fields!.name! };
    return newTemplate({ id: newId(), workspaceId, projectId, fields: named }, authorship(deps));
  };
  const template = await checkAndCommitOnce(deps.connection, check, async (session, made) => {
    if (!(await deps.projects.touch(workspaceId, projectId, session)))
      throw refusals.unknownProject({ field: 'project_id' });
    await takeUpImages(deps, { workspaceId, fields: made }, session);
    await underKey(deps.templates.insert(made, session));
    return made;
  });
  const [reply] = await withStatistics(deps, workspaceId, [template]);
  return { template: reply!, warnings: await warningsOf(deps, workspaceId, template) };
}
