/**
 * The types of events that the trail knows in each category: what may be posted (part 2, Events), and what other services
 * tell of. Custom events are named by whoever sends them.
 */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  transaction: ['purchase', 'refund'],
  engagement: ['check_in', 'check_out', 'visit', 'scan'],
  field_change: ['field_updated', 'field_increment', 'field_decrement'],
  pass_lifecycle: ['pass_installed', 'pass_uninstalled', 'pass_registered', 'template_changed'],
  loyalty: [
    'tier_promoted',
    'tier_demoted',
    'reward_redeemed',
    'reward_cancelled',
    'reward_used',
    'points_earned',
    'points_spent',
    'points_expired',
    'points_adjusted',
    'points_transferred',
    'points_cancelled',
    'points_refunded',
  ],
  referral: ['referral_created', 'referral_completed', 'referral_expired', 'referral_cancelled'],
};

/** What is wrong with asking for such events, or null: a type that a category never has is nobody's. */
export function complaintAboutEventType(category: string, type: string | undefined): string | null {
  const known = TYPES[category];
  if (type === undefined || known === undefined || known.includes(type)) return null;
  return `event_type must be one of ${known.join(', ')} with event_category ${category}`;
}
