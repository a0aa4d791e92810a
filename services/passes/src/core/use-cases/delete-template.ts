import { commitOnce } from '@laurel/mongo';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';

/** Deletes a template that no pass is on and nothing gives out; its doors go first, so that none comes meanwhile. */
export async function deleteTemplate(
  deps: Pick<CoreDeps, 'connection' | 'templates' | 'passes' | 'belongings'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return commitOnce(deps.connection, async (session) => {
    await deps.templates.closeDoors(workspaceId, id, session);
    if (!(await deps.templates.remove(workspaceId, id, session))) throw refusals.templateNotFound();
    if (await deps.passes.isAnyOn(workspaceId, { templateId: id }, session))
      throw refusals.templateInUse();
    for (const { isTemplateUsed } of deps.belongings) {
      if (await isTemplateUsed(workspaceId, id, session)) throw refusals.templateGivenOut();
    }
    return {};
  });
}
