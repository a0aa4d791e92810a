import { createEvent } from '@laurel/events';
import { requireUnchanged } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { type ChangeDeps, changeConfiguration } from './change-configuration';

/** Deletes a tier that nothing in use names; its members fall to the tier due, by a resync. */
export async function deleteTier(
  deps: ChangeDeps & Pick<Deps, 'references'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.Resync> {
  const { resyncJobId } = await changeConfiguration(
    deps,
    workspaceId,
    async ({ tiers }, session) => {
      const tier = tiers.find((one) => one.id === id);
      if (!tier) throw refusals.tierNotFound({ field: 'id' });
      requireUnchanged({ ...tier, changedAt: tier.changed_at });
      await deps.tiers.remove(tier, session);
      await deps.references.requireUnreferenced(workspaceId, 'tier', [id]);
      const told = { workspaceId, subject: id, data: { tier_id: id } };
      return { reply: {}, events: [createEvent('tiers.tier_deleted', told)], needsResync: true };
    },
  );
  return { resync_job_id: resyncJobId };
}
