import type { tiers as api } from '@laurel/rpc';
import type { ListTierClients, PreviewBody, TierBody, TierSetBody } from './schema';

/** A tier set as it is sent to the service: lists that may be absent travel in a shell. */
export function toTierSetFields({ conditions, ...fields }: TierSetBody) {
  return { ...fields, ...(conditions === undefined ? {} : { conditions: { items: conditions } }) };
}

export function toTierFields({ benefits, ...fields }: TierBody) {
  return { ...fields, ...(benefits === undefined ? {} : { benefits: { items: benefits } }) };
}

/** Only what decides who is in a tier matters to a preview. */
export function toPreview({ conditions, downgrade_config, tiers }: PreviewBody) {
  const drafts = tiers?.map(({ id, name, sort_order, kind, condition_values }) => ({
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(sort_order === undefined ? {} : { sort_order }),
    ...(kind === undefined ? {} : { kind }),
    ...(condition_values === undefined ? {} : { condition_values }),
  }));
  return {
    ...(conditions === undefined ? {} : { conditions: { items: conditions } }),
    ...(downgrade_config === undefined ? {} : { downgrade_config }),
    ...(drafts === undefined ? {} : { tiers: { items: drafts } }),
  };
}

/** The filters of the list; each cf_<field name> narrows it further. */
export function toClientFilter(query: ListTierClients) {
  const { limit, offset = 0, tier_id, search, pass_template_id } = query;
  const custom_fields = Object.entries(query)
    .filter(([name]) => name.startsWith('cf_'))
    .map(([name, values]) => ({
      field_name: name.slice('cf_'.length),
      values: values as string[],
    }));
  return {
    limit,
    offset,
    custom_fields,
    ...(tier_id === undefined ? {} : { tier_id }),
    ...(search === undefined ? {} : { search }),
    ...(pass_template_id === undefined ? {} : { pass_template_id }),
  };
}

/** A client's tier; null where the workspace has no tier set. */
export function presentClientTier(reply: api.ClientTier): object | null {
  const { tier_set, tier, manually_assigned, promoted_at, expires_at, metrics, progress } = reply;
  if (!tier_set) return null;
  return {
    tier: tier ?? null,
    manually_assigned,
    promoted_at,
    expires_at,
    metrics,
    progress: {
      ...progress,
      current_tier: progress?.current_tier ?? null,
      next_tier: progress?.next_tier ?? null,
    },
  };
}

export function presentCounts(counts: api.TierClientCounts): object {
  const { tiers, untiered, loyalty_disabled } = counts;
  return { ...tiers, untiered, loyalty_disabled };
}
