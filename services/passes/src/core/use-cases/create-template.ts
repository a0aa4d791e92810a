import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { newTemplate } from '../domain/template';
import { toTemplateReply } from '../replies';
import { authorship } from './author';
import { requireKnownReferences, templateFieldsOf } from './template-fields';

const NO_PASSES = { total: 0, apple: 0, google: 0 };

/** Creates a template of a project. What it names must be of the workspace. */
export async function createTemplate(
  deps: Pick<CoreDeps, 'connection' | 'projects' | 'templates' | 'tiers' | 'clock'>,
  { workspace_id: workspaceId, project_id: projectId, fields }: api.CreateTemplateRequest,
): Promise<api.SavedTemplate> {
  const checked = templateFieldsOf(fields!);
  await requireKnownReferences(deps, workspaceId, checked);
  const named = { ...checked, name: fields!.name! };
  const template = newTemplate(
    { id: newId(), workspaceId, projectId, fields: named },
    authorship(deps),
  );
  return commitOnce(deps.connection, async (session) => {
    if (!(await deps.projects.touch(workspaceId, projectId, session)))
      throw refusals.noSuchProject({ field: 'project_id' });
    await deps.templates.insert(template, session);
    return { template: toTemplateReply(template, NO_PASSES), warnings: [] };
  });
}
