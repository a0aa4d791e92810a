import { createEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { repeatable } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Tier } from '../domain/programme';
import { type ChangeDeps, changeConfiguration } from './change-configuration';
import {
  benefitsFrom,
  kindFrom,
  notificationFrom,
  requireKnownTemplate,
  thresholdsFrom,
} from './configuration-fields';
import { toTierReply } from './wire';

type CreateDeps = ChangeDeps & Pick<Deps, 'passTemplates'>;

/** Creates a tier. Who qualifies for an auto tier enters it by a resync. */
export async function createTier(
  deps: CreateDeps,
  request: api.CreateTierRequest,
): Promise<api.Tier> {
  const added = await repeatable(deps.connection, () => addTier(deps, request));
  return added.reply;
}

async function addTier(deps: CreateDeps, request: api.CreateTierRequest) {
  const { workspace_id: workspaceId } = request;
  await requireKnownTemplate(deps, { workspaceId, templateId: request.pass_template_id });
  const fields: Omit<Tier, 'tier_set_id'> = {
    id: newId(),
    workspace_id: workspaceId,
    key: request.key ?? null,
    name: request.name,
    description: request.description ?? null,
    sort_order: request.sort_order ?? 0,
    kind: kindFrom(request.kind ?? 'auto'),
    condition_values: thresholdsFrom(request.condition_values ?? {}),
    benefits: benefitsFrom(request.benefits ?? { items: [] }),
    color: request.color ?? null,
    icon: request.icon ?? null,
    pass_sync_config: request.pass_sync_config ?? {},
    pass_template_id: request.pass_template_id ?? null,
    notification_config: notificationFrom(request.notification_config ?? null),
  };
  return changeConfiguration(deps, workspaceId, async ({ set }, session) => {
    const tier: Tier = { ...fields, tier_set_id: set.id };
    await deps.tiers.insert(tier, session);
    const told = { workspaceId, subject: tier.id, data: { tier: snapshotOf(tier) } };
    return {
      reply: toTierReply(tier),
      events: [createEvent('tiers.tier_created', told)],
      needsResync: set.active && tier.kind === 'auto',
    };
  });
}

/** A tier as events carry it. */
export function snapshotOf(tier: Tier) {
  const {
    condition_values,
    notification_config,
    key: _key,
    revision: _revision,
    changed_at: _changedAt,
    ...rest
  } = tier;
  return {
    ...rest,
    condition_values: condition_values as Record<string, number>,
    notification_config: notification_config as Record<string, unknown> | null,
  };
}
