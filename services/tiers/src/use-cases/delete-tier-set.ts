import { createEvent } from '@laurel/events';
import { commitOnce, requireUnchanged } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type ChangeDeps, queueResync } from './change-configuration';
import { requireConfiguration } from './read-programme';

/** Deletes the tier set and its tiers, unless something in use names one. No member has a tier then; a job tells of each. */
export async function deleteTierSet(
  deps: ChangeDeps & Pick<Deps, 'references'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<Record<string, never>> {
  await commitOnce(deps.connection, async (session) => {
    const { set, tiers } = await requireConfiguration(deps, workspaceId, session);
    requireUnchanged({ ...set, changedAt: set.changed_at });
    await deps.tierSets.remove(set, session);
    await deps.tiers.removeAll(workspaceId, session);
    await queueResync(deps, workspaceId, session);
    const tierIds = tiers.map(({ id }) => id);
    const data = { tier_set_id: set.id, tier_ids: tierIds };
    const told = createEvent('tiers.tier_set_deleted', { workspaceId, subject: set.id, data });
    await deps.outbox.append([told], session);
    await deps.references.requireUnreferenced(workspaceId, 'tier', tierIds);
  });
  return {};
}
