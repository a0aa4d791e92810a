import { toUnits } from '@laurel/amount';
import type { CloudEvent, PointsMoved, TierChanged } from '@laurel/events';
import type { Profile } from '../domain/segments/profile';
import { withTier, withWallet } from '../domain/segments/profile-changes';
import { addChange } from './insert-trail';

/** What events of ledger and tiers say of the balances and tiers that clients have, for their profiles. */
export function standingChanges(
  events: readonly CloudEvent[],
): Map<string, (profile: Profile) => Profile> {
  const changes = new Map<string, (profile: Profile) => Profile>();
  for (const event of events) {
    const [domain] = event.type.split('.');
    if (domain === 'loyalty') {
      const moved = event.data as PointsMoved;
      addChange(changes, moved.client_id, (profile) => withEntry(profile, moved));
    } else if (domain === 'tiers') {
      const {
        client_id: clientId,
        tier,
        member_revision: revision = 0,
      } = event.data as TierChanged;
      const position = { revision, at: new Date(event.time) };
      addChange(changes, clientId, (profile) => withTier(profile, tier?.id ?? null, position));
    }
  }
  return changes;
}

function withEntry(profile: Profile, { entry, wallet }: PointsMoved): Profile {
  return withWallet(profile, wallet.wallet_type_code, {
    active: toUnits(wallet.active_balance),
    pending: toUnits(wallet.pending_balance),
    earned: toUnits(wallet.total_earned),
    spent: toUnits(wallet.total_spent),
    sequence: entry.sequence,
  });
}
