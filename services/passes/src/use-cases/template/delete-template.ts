import { commitOnce, requireUnchanged, type Session } from '@laurel/mongo';
import { type common, referenced } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { refusals } from '../../refusals';

type RemovalDeps = Pick<PassDeps, 'templates' | 'passes'>;

/** Deletes a template that no pass is on, goes back to, or is being moved to, that nothing gives out and nothing in use names. */
export async function deleteTemplate(
  deps: RemovalDeps & Pick<PassDeps, 'connection' | 'belongings' | 'references'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return commitOnce(deps.connection, async (session) => {
    const template = await deps.templates.find(workspaceId, id, session);
    if (!template) throw refusals.passTemplateNotFound();
    requireUnchanged({ ...template, changedAt: template.date_updated });
    // The write with the guard: from here on no call changes what is about to go.
    await deps.templates.replace(template, session);
    const isUnused = await removeUnused(deps, { workspaceId, id }, session);
    const users: common.Reference[] = [];
    for (const { usersOfTemplate } of deps.belongings)
      users.push(...(await usersOfTemplate(workspaceId, id, session)));
    users.push(...(await deps.references.find(workspaceId, 'pass_template', [id])));
    if (users.length > 0) throw referenced('pass_template', users);
    if (!isUnused) throw refusals.templateInUse();
    return {};
  });
}

/**
 * Takes a template away, its doors first, so that a pass that comes at this moment either shows or finds no door.
 * False where it is in use: the whole unit must then not be committed.
 */
export async function removeUnused(
  { templates, passes }: RemovalDeps,
  { workspaceId, id }: { workspaceId: string; id: string },
  session: Session,
): Promise<boolean> {
  await templates.closeDoors(workspaceId, id, session);
  await templates.remove(workspaceId, id, session);
  const isUsed =
    (await passes.isAnyOn(workspaceId, id, session)) ||
    (await templates.isTarget(workspaceId, id, session));
  return !isUsed;
}
