import { createEvent } from '@laurel/events';
import { etagOf, requireUnchanged } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type ChangeDeps, changeConfiguration, changedFields } from './change-configuration';
import { conditionsFrom, downgradeFrom, requireWalletTypes } from './configuration-fields';
import { toTierSetReply } from './wire';

/** What decides who is in which tier. */
const DECIDING = ['active', 'conditions', 'downgrade_config'];

/** Changes the tier set; a list of conditions replaces the former one. */
export async function updateTierSet(
  deps: ChangeDeps & Pick<Deps, 'ledger'>,
  { workspace_id: workspaceId, ...request }: api.UpdateTierSetRequest,
): Promise<api.ChangedTierSet> {
  const { name, active, conditions, downgrade_config } = request;
  const fields = {
    ...(name === undefined ? {} : { name }),
    ...(active === undefined ? {} : { active }),
    ...(conditions === undefined ? {} : { conditions: conditionsFrom(conditions) }),
    ...(downgrade_config === undefined
      ? {}
      : { downgrade_config: downgradeFrom(downgrade_config) }),
  };
  await requireWalletTypes(deps, workspaceId, fields.conditions ?? []);
  const { reply, resyncJobId } = await changeConfiguration(deps, workspaceId, async (current) => {
    requireUnchanged({ ...current.set, changedAt: current.set.changed_at });
    const set = { ...current.set, ...fields };
    const changed = changedFields(current.set, set);
    const { revision, changed_at: _changedAt, ...tier_set } = set;
    const etag = etagOf({ id: set.id, revision: revision + 1 });
    const told = { workspaceId, subject: set.id, data: { tier_set } };
    return {
      reply: { ...toTierSetReply(set, current.tiers), etag },
      events: changed.length === 0 ? [] : [createEvent('tiers.tier_set_updated', told)],
      needsResync: set.active && changed.some((field) => DECIDING.includes(field)),
      set,
    };
  });
  return { tier_set: reply, resync_job_id: resyncJobId };
}
