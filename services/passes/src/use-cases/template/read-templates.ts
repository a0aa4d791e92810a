import { etagOf } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import type { Template } from '../../domain/template/template';
import { refusals } from '../../refusals';
import { toTemplateReply } from '../pass/wire';

const NO_PASSES = { total: 0, apple: 0, google: 0 };

type Stores = Pick<PassDeps, 'templates' | 'passes'>;

/** Newest first. */
export async function listTemplates(
  deps: Stores,
  { workspace_id, project_id: projectId, key }: api.ListTemplatesRequest,
): Promise<api.TemplateList> {
  const found = await deps.templates.list(workspace_id, { projectId, key });
  return { templates: await withStatistics(deps, workspace_id, found) };
}

export async function getTemplate(
  deps: Stores,
  { workspace_id, id }: { workspace_id: string; id: string },
): Promise<api.Template> {
  const template = await deps.templates.find(workspace_id, id);
  if (!template) throw refusals.passTemplateNotFound();
  const [reply] = await withStatistics(deps, workspace_id, [template]);
  return { ...reply!, etag: etagOf(template) };
}

/**
 * Those of some templates that the workspace has and may name: none whose passes are being moved away, but for one who only
 * looks and says so (`with_migrating`). Without statistics.
 */
export async function getTemplates(
  { templates }: Pick<PassDeps, 'templates'>,
  { workspace_id, ids, with_migrating = false }: api.IdsRequest,
): Promise<api.TemplateList> {
  const found = await templates.findMany(workspace_id, ids);
  const told = found.filter(({ migrating_to }) => with_migrating || migrating_to === null);
  return { templates: told.map((template) => toTemplateReply(template)) };
}

export async function locateTemplate(
  { templates }: Pick<PassDeps, 'templates'>,
  { id }: api.RowRequest,
): Promise<api.RowLocation> {
  const workspaceId = await templates.workspaceOf(id);
  if (workspaceId === null) throw refusals.passTemplateNotFound();
  return { workspace_id: workspaceId };
}

/** Templates with what became of them so far. */
export async function withStatistics(
  { passes }: Pick<PassDeps, 'passes'>,
  workspaceId: string,
  templates: readonly Template[],
): Promise<api.Template[]> {
  const ids = templates.map((template) => template.id);
  const counts = await passes.countByTemplate(workspaceId, ids);
  return templates.map((template) =>
    toTemplateReply(template, counts.get(template.id) ?? NO_PASSES),
  );
}
