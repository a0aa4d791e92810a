import { TIER_DECIDING } from '@laurel/contract';
import { createEvent } from '@laurel/events';
import { etagOf, keyAfter, requireUnchanged } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Tier } from '../domain/programme';
import { refusals } from '../refusals';
import { type ChangeDeps, changeConfiguration, changedFields } from './change-configuration';
import {
  benefitsFrom,
  kindFrom,
  notificationFrom,
  requireKnownTemplate,
  thresholdsFrom,
} from './configuration-fields';
import { snapshotOf } from './create-tier';
import { toTierReply } from './wire';

/** Changes a tier. Only what decides who is in it costs a resync; a colour does not. */
export async function updateTier(
  deps: ChangeDeps & Pick<Deps, 'passTemplates'>,
  request: api.UpdateTierRequest,
): Promise<api.ChangedTier> {
  const { workspace_id: workspaceId, id } = request;
  await requireKnownTemplate(deps, { workspaceId, templateId: request.pass_template_id });
  const fields = fieldsOf(request);
  const { reply, resyncJobId } = await changeConfiguration(
    deps,
    workspaceId,
    async ({ set, tiers }, session) => {
      const before = tiers.find((tier) => tier.id === id);
      if (!before) throw refusals.tierNotFound({ field: 'id' });
      const key = keyAfter(before.key, request.key, () => refusals.keyGiven({ field: 'key' }));
      requireUnchanged({ ...before, changedAt: before.changed_at });
      const tier: Tier = { ...before, ...fields, key };
      const changed_fields = changedFields(before, tier);
      const stored = changed_fields.length > 0 ? await deps.tiers.replace(tier, session) : before;
      const data = { tier: snapshotOf(tier), changed_fields };
      const told = { workspaceId, subject: id, data };
      // A change of kind moves people even while the set rests: what they held is no longer what it was.
      const isPressing = set.active || changed_fields.includes('kind');
      return {
        reply: { ...toTierReply(tier), etag: etagOf(stored) },
        events: changed_fields.length === 0 ? [] : [createEvent('tiers.tier_updated', told)],
        needsResync:
          isPressing && changed_fields.some((field) => TIER_DECIDING.some((one) => one === field)),
      };
    },
  );
  return { tier: reply, resync_job_id: resyncJobId };
}

function fieldsOf(request: api.UpdateTierRequest): Partial<Tier> {
  const { name, description, sort_order, color, icon, pass_template_id, pass_sync_config } =
    request;
  const { kind, condition_values, benefits, notification_config } = request;
  const fields: Partial<Tier> = {
    name,
    description,
    sort_order,
    color,
    icon,
    pass_template_id,
    pass_sync_config,
    ...(kind === undefined ? {} : { kind: kindFrom(kind) }),
    ...(condition_values === undefined
      ? {}
      : { condition_values: thresholdsFrom(condition_values) }),
    ...(benefits === undefined ? {} : { benefits: benefitsFrom(benefits) }),
    ...(notification_config === undefined
      ? {}
      : { notification_config: notificationFrom(notification_config) }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
