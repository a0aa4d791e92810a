import type { CampaignAction } from '@laurel/client';
import type { Say } from '../../language';
import type { Named, Names } from '../../rule/body';

export type Kind = 'push_notification' | 'give_reward' | 'assign_tier' | 'template_switch';
export const KINDS: readonly Kind[] = [
  'push_notification',
  'give_reward',
  'assign_tier',
  'template_switch',
];
type Giving = Exclude<Kind, 'push_notification'>;

/** Each keeps the id of what it gives in a place of its own. */
export const configOf = (kind: Giving, id: string): Record<string, unknown> =>
  ({
    give_reward: { reward_ids: [id] },
    assign_tier: { tier_id: id },
    template_switch: { target_template_id: id },
  })[kind];
const idsIn = (config: Record<string, unknown>): string[] =>
  [config.reward_ids ?? config.tier_id ?? config.target_template_id ?? []].flat().map(String);

const GIVEN = {
  give_reward: 'then.reward',
  assign_tier: 'then.tier',
  template_switch: 'then.card',
} as const;

export const listOf = (kind: Giving, names: Names): readonly Named[] =>
  ({ give_reward: names.rewards, assign_tier: names.tiers, template_switch: names.cards })[kind];

/** The currency that pays for all the rewards that an action gives; undefined where there are several. */
export function paidIn(
  { action_config }: CampaignAction,
  { rewards, currencies }: Names,
): Names['currencies'][number] | undefined {
  const ids = idsIn(action_config);
  const types = new Set(
    rewards.filter(({ id }) => ids.includes(id)).map(({ wallet_type_id }) => wallet_type_id),
  );
  return types.size === 1 ? currencies.find(({ id }) => types.has(id)) : undefined;
}

/** What an action does, as a sentence that names what it gives. */
export function tellAction(
  say: Say,
  { action_type, action_config }: CampaignAction,
  known: Names,
): string {
  if (action_type === 'push_notification')
    return say('then.push', { text: String(action_config.notification_message ?? '') });
  if (action_type === 'custom_field_update') return say('campaign.fieldUpdate');
  const name = idsIn(action_config)
    .map((id) => listOf(action_type, known).find((one) => one.id === id)?.name ?? '?')
    .join(', ');
  return say(GIVEN[action_type], { name });
}
