import type { Laurel } from '@laurel/client';
import type { Names } from '../rule/body';
import { usualRateOf } from '../rule/usual-rate';

/** So many the platform gives at once; more come page by page. */
export const PAGE = 1_000;

/** The workspace's own things by name, for lists to choose from and for sentences: all of them, however many there are. */
export async function loadNames(laurel: Laurel): Promise<Names> {
  const [currencies, tiers, segments, rewards, cards, webhooks, fields, rules] = await Promise.all([
    laurel.walletTypes.list(),
    laurel.tiers.list(),
    laurel.segments.list(),
    laurel.rewards.list({ limit: PAGE }).all(),
    laurel.passTemplates.list(),
    laurel.webhooks.list({ limit: PAGE }).all(),
    laurel.dataModel.list(),
    laurel.automations.list(),
  ]);
  return {
    // The one that is meant where nothing else is said comes first.
    currencies: [...currencies].sort((a, b) => Number(b.is_default) - Number(a.is_default)),
    tiers,
    segments,
    rewards,
    cards,
    webhooks: webhooks.map(({ id, url }) => ({ id, name: url })),
    usualRate: usualRateOf(rules),
    fields: fields
      .filter(({ is_system }) => !is_system)
      .map(({ field_name, field_label, field_type, options }) => ({
        id: field_name,
        name: field_label,
        type: field_type,
        options,
      })),
  };
}
