import type { clients as api } from '@laurel/rpc';
import { totalUnitsOf } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { complies } from '../domain/segments/criterion';
import type { Profile } from '../domain/segments/profile';
import { withWallet } from '../domain/segments/profile-changes';
import { type CriteriaDeps, readCriteria } from './read-criteria';

/**
 * Those of the segments that a client is in now. Balances and the tier come after what they follow from, by event: who
 * has just changed them says how they are.
 */
export async function segmentsContaining(
  deps: CriteriaDeps & Pick<Deps, 'profiles'>,
  {
    workspace_id: workspaceId,
    segment_ids: ids,
    client_id: clientId,
    standing,
  }: api.SegmentsContainingRequest,
): Promise<api.ContainingSegments> {
  const [criteria, profile] = await Promise.all([
    readCriteria(deps, workspaceId, [...new Set(ids)]),
    deps.profiles.find(workspaceId, clientId),
  ]);
  if (!profile) return { ids: [] };
  const known = standing ? standingSo(profile, standing) : profile;
  const containing = [...criteria].filter(([, criterion]) => complies(known, criterion));
  return { ids: containing.map(([id]) => id) };
}

function standingSo(profile: Profile, { wallets, tier_id }: api.KnownStanding): Profile {
  const units = (decimal: number) => totalUnitsOf([decimal]);
  const moved = wallets.reduce(
    (known, { wallet_type_code: code, active, pending, earned, spent }) =>
      withWallet(known, code, {
        active: units(active),
        pending: units(pending),
        earned: units(earned),
        spent: units(spent),
        sequence: Number.POSITIVE_INFINITY,
      }),
    profile,
  );
  return { ...moved, tier_id: tier_id ?? null };
}
