import type { referrals as api } from '@laurel/rpc';

type Side = 'referrer' | 'referee';

const presentSide = (side: Side, person: api.Person | undefined): object => ({
  [`${side}_first_name`]: person?.first_name ?? null,
  [`${side}_last_name`]: person?.last_name ?? null,
  [`${side}_email`]: person?.email ?? null,
});

/** A referral with the names of both sides beside it. */
export const presentListed = ({ referral, referrer, referee }: api.ListedReferral): object => ({
  ...referral,
  ...presentSide('referrer', referrer),
  ...presentSide('referee', referee),
});

export const presentTop = (top: api.TopReferrer): object => ({
  client_id: top.client_id,
  first_name: top.person?.first_name ?? null,
  last_name: top.person?.last_name ?? null,
  email: top.person?.email ?? null,
  completed_count: top.completed_count,
  pending_count: top.pending_count,
});
