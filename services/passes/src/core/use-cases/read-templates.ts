import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import type { Template } from '../domain/template';
import { toTemplateReply } from '../replies';

type Stores = Pick<CoreDeps, 'templates' | 'passes'>;

/** Newest first. */
export async function listTemplates(
  deps: Stores,
  { workspace_id, project_id }: api.ListTemplatesRequest,
): Promise<api.TemplateList> {
  const found = await deps.templates.list(workspace_id, project_id);
  return { templates: await withStatistics(deps, workspace_id, found) };
}

export async function getTemplate(
  deps: Stores,
  { workspace_id, id }: { workspace_id: string; id: string },
): Promise<api.Template> {
  const template = await deps.templates.find(workspace_id, id);
  if (!template) throw refusals.templateNotFound();
  const [reply] = await withStatistics(deps, workspace_id, [template]);
  return reply!;
}

/** Those of the named templates that the workspace has. */
export async function getTemplates(
  deps: Stores,
  { workspace_id, ids }: api.IdsRequest,
): Promise<api.TemplateList> {
  const found = await deps.templates.findMany(workspace_id, ids);
  return { templates: await withStatistics(deps, workspace_id, found) };
}

export async function locateTemplate(
  { templates }: Pick<CoreDeps, 'templates'>,
  { id }: api.RowRequest,
): Promise<api.RowLocation> {
  const workspaceId = await templates.workspaceOf(id);
  if (workspaceId === null) throw refusals.templateNotFound();
  return { workspace_id: workspaceId };
}

function withStatistics(
  { passes }: Stores,
  workspaceId: string,
  templates: readonly Template[],
): Promise<api.Template[]> {
  return Promise.all(
    templates.map(async (template) =>
      toTemplateReply(template, await passes.count(workspaceId, { templateId: template.id })),
    ),
  );
}
