import { createEvent } from '@laurel/events';
import type { tiers as api } from '@laurel/rpc';
import { refusals } from '../refusals';
import { type ChangeDeps, changeConfiguration } from './change-configuration';
import { snapshotOf } from './create-tier';

/** Puts the tiers in an order, lowest first. Every tier must be named exactly once. */
export async function reorderTiers(
  deps: ChangeDeps,
  { workspace_id: workspaceId, tier_ids: order }: api.ReorderTiersRequest,
): Promise<api.ReorderedTiers> {
  const { reply, resyncJobId } = await changeConfiguration(
    deps,
    workspaceId,
    async ({ set, tiers }, session) => {
      const known = new Set(tiers.map(({ id }) => id));
      const isComplete = order.length === known.size && new Set(order).size === known.size;
      if (!isComplete || order.some((id) => !known.has(id)))
        throw refusals.incompleteOrder({ field: 'tier_ids' });
      const moved = tiers
        .map((tier) => ({ ...tier, sort_order: order.indexOf(tier.id) }))
        .filter((tier) => tiers.find(({ id }) => id === tier.id)!.sort_order !== tier.sort_order);
      for (const tier of moved) await deps.tiers.replace(tier, session);
      const events = moved.map((tier) => {
        const data = { tier: snapshotOf(tier), changed_fields: ['sort_order'] };
        return createEvent('tiers.tier_updated', { workspaceId, subject: tier.id, data });
      });
      const before = tiers.map(({ id }) => id);
      const isReordered = order.some((id, position) => before[position] !== id);
      const reply = order.map((id, position) => ({ id, sort_order: position }));
      return { reply, events, needsResync: set.active && isReordered };
    },
  );
  return { tiers: reply, resync_job_id: resyncJobId };
}
