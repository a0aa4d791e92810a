import type { PointsMoved } from '@laurel/events';
import { toUnits } from '@laurel/values/amount';
import type { Profile } from '../domain/segments/profile';
import { withTier, withWallet } from '../domain/segments/profile-changes';
import { addChange } from './insert-trail';
import type { TrailedEvent } from './trailed-events';

/** What events of ledger and tiers say of the balances and tiers that clients have, for their profiles. */
export function standingChanges(
  events: readonly TrailedEvent[],
): Map<string, (profile: Profile) => Profile> {
  const changes = new Map<string, (profile: Profile) => Profile>();
  for (const event of events) {
    if (isOf('tiers', event)) {
      const { client_id: clientId, tier, member_revision: revision = 0 } = event.data;
      const position = { revision, at: new Date(event.time) };
      addChange(changes, clientId, (profile) => withTier(profile, tier?.id ?? null, position));
    } else if (isOf('loyalty', event)) {
      const moved = event.data;
      addChange(changes, moved.client_id, (profile) => withEntry(profile, moved));
    }
  }
  return changes;
}

const isOf = <Domain extends 'tiers' | 'loyalty'>(
  domain: Domain,
  event: TrailedEvent,
): event is Extract<TrailedEvent, { type: `${Domain}.${string}` }> =>
  event.type.startsWith(`${domain}.`);

function withEntry(profile: Profile, { entry, wallet }: PointsMoved): Profile {
  return withWallet(profile, wallet.wallet_type_code, {
    active: toUnits(wallet.active_balance),
    pending: toUnits(wallet.pending_balance),
    earned: toUnits(wallet.total_earned),
    spent: toUnits(wallet.total_spent),
    sequence: entry.sequence,
  });
}
