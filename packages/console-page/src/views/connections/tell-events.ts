import type { Say, WordKey } from '../../language';

/** What a webhook hears of: a star stands for everything. */
export const tellEvents = (say: Say, types: readonly string[]): string =>
  types.includes('*') ? say('webhook.allEvents') : types.join(', ');

/** The word for each event by the name that webhooks give it. */
const WORDS: Readonly<Record<string, WordKey>> = {
  'client.created': 'event.client_created',
  'client.updated': 'event.client_updated',
  'client.deleted': 'event.client_deleted',
  'client.anonymized': 'event.client_anonymized',
  'client.merged': 'event.client_merged',
  field_change: 'event.field_change',
  'transaction.purchase': 'event.transaction',
  'transaction.refund': 'event.refund',
  'engagement.check_in': 'event.check_in',
  'engagement.check_out': 'event.check_out',
  'engagement.visit': 'event.visit',
  'engagement.scan': 'event.scan',
  'pass_lifecycle.pass_installed': 'event.pass_installed',
  'pass_lifecycle.pass_uninstalled': 'event.pass_uninstalled',
  'pass_lifecycle.pass_registered': 'event.pass_registered',
  'pass_lifecycle.template_changed': 'event.template_changed',
  'custom.*': 'event.own',
  'loyalty.*': 'event.posted_loyalty',
  'loyalty.points_earned': 'event.points_earned',
  'loyalty.points_spent': 'event.points_spent',
  'loyalty.points_adjusted': 'event.points_adjusted',
  'loyalty.points_expired': 'event.points_expired',
  'loyalty.points_matured': 'event.points_matured',
  'loyalty.points_locked': 'event.points_locked',
  'loyalty.points_unlocked': 'event.points_unlocked',
  'loyalty.points_cancelled': 'event.points_cancelled',
  'loyalty.points_refunded': 'event.points_refunded',
  'loyalty.points_transferred': 'event.points_transferred',
  tier_promoted: 'event.tier_promoted',
  tier_demoted: 'event.tier_demoted',
  reward_redeemed: 'event.reward_redeemed',
  reward_used: 'event.reward_used',
  reward_cancelled: 'event.reward_cancelled',
  referral_created: 'event.referral_created',
  referral_completed: 'event.referral_completed',
  referral_expired: 'event.referral_expired',
  referral_cancelled: 'event.referral_cancelled',
  'campaign.launched': 'event.campaign_launched',
  'campaign.completed': 'event.campaign_completed',
  'campaign.cancelled': 'event.campaign_cancelled',
  'automation.webhook': 'event.webhook_called',
  'webhook.test': 'event.test',
};

/** What an event that webhooks name is, in the reader's words; what the platform's catalogue says of one that has none. */
export function tellEventType(
  say: Say,
  { type, description }: { type: string; description: string },
): string {
  const word = WORDS[type];
  return word ? say(word) : description;
}
