import { commitOnce } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { changedTemplate } from '../domain/template';
import { toTemplateReply } from '../replies';
import { authorship } from './author';
import { requireKnownReferences, templateFieldsOf } from './template-fields';

/** Changes a template; two changes at once are applied one after the other. */
export async function updateTemplate(
  deps: Pick<CoreDeps, 'connection' | 'templates' | 'passes' | 'tiers' | 'clock'>,
  { workspace_id: workspaceId, id, fields }: api.UpdateTemplateRequest,
): Promise<api.SavedTemplate> {
  const changes = templateFieldsOf(fields ?? {});
  await requireKnownReferences(deps, workspaceId, changes);
  const author = authorship(deps);
  const changed = await commitOnce(deps.connection, async (session) => {
    const template = await deps.templates.find(workspaceId, id, session);
    if (!template) throw refusals.templateNotFound();
    const next = changedTemplate(template, changes, author);
    await deps.templates.replace(next, session);
    return next;
  });
  const counts = await deps.passes.count(workspaceId, { templateId: id });
  return { template: toTemplateReply(changed, counts), warnings: [] };
}
