import type { clients, ledger, referrals, rewards, tiers } from '@laurel/rpc';
import { type Answer, data } from '../../routing';

export const presentMe = (client: clients.Client) => ({
  id: client.id,
  first_name: client.first_name,
  last_name: client.last_name,
  email: client.email,
  custom_fields: client.custom_fields,
  workspace_id: client.workspace_id,
  marketing_consent: client.marketing_consent,
});

/** A reward as the list shows it. */
export const presentReward = ({ reward, can_afford, is_locked, reason }: rewards.ClientReward) => ({
  id: reward!.id,
  name: reward!.name,
  description: reward!.description,
  image_url: reward!.image,
  cost_points: reward!.cost_in_points,
  can_afford,
  is_locked,
  reason,
});

/** The same with what else of a reward concerns a customer; never its limits or its coupon pattern. */
export const presentRewardDetail = (seen: rewards.ClientReward) => ({
  ...presentReward(seen),
  cost_in_points: seen.reward!.cost_in_points,
  wallet_type_id: seen.reward!.wallet_type_id,
  monetary_value: seen.reward!.monetary_value,
  categories: seen.reward!.categories,
  availability_start: seen.reward!.availability_start,
  availability_end: seen.reward!.availability_end,
});

export const presentRedeemed = ({ redemption }: rewards.Redeemed) => ({
  redemption_id: redemption!.id,
  status: redemption!.status,
  reward_name: redemption!.reward_name,
  coupon_code: redemption!.coupon_code,
  coupon_status: redemption!.coupon_status,
});

/** All wallets, or those of one type. */
export const presentBalances = ({ wallets }: ledger.Wallets, code: string | undefined) =>
  wallets
    .filter(({ wallet_type }) => code === undefined || wallet_type!.code === code)
    .map(({ wallet, wallet_type }) => ({
      wallet_type_id: wallet_type!.id,
      wallet_type_code: wallet_type!.code,
      wallet_type_name: wallet_type!.name,
      active_balance: wallet!.active_balance,
      pending_balance: wallet!.pending_balance,
    }));

/** What moved the points of the client; never who did it, or what staff noted beside it. */
export function presentStatement(page: ledger.EntryPage, expiring: ledger.ExpiringDay[]): Answer {
  const rows = page.entries.map((entry) => ({
    id: entry.id,
    wallet_type_code: entry.wallet_type_code,
    type: entry.type,
    status: entry.status,
    amount: entry.amount,
    balance_after: entry.balance_after,
    description: entry.description,
    expires_at: entry.expires_at,
    created_at: entry.created_at,
  }));
  return data(rows, {
    total_count: page.total_count,
    returned_count: rows.length,
    next_cursor: page.next_cursor ?? null,
    expiring: expiring.map(({ amount, expires_at }) => ({ amount, expires_at })),
  });
}

export const presentRedemption = (redemption: rewards.Redemption) => ({
  id: redemption.id,
  reward_id: redemption.reward_id,
  reward_name: redemption.reward_name,
  cost_points: redemption.points_spent,
  status: redemption.status,
  redeemed_at: redemption.redemption_date,
  coupon_code: redemption.coupon_code,
  coupon_status: redemption.coupon_status,
  used_at: redemption.used_at,
});

export function presentTier({ tier_set, progress }: tiers.ClientTier) {
  if (!tier_set || !progress) return { tier_set: null, progress: null };
  const { current_tier, next_tier, progress_to_next, metric_value, metric_target } = progress;
  return {
    tier_set,
    progress: {
      current_tier: current_tier ?? null,
      next_tier: next_tier ?? null,
      progress_to_next,
      metric_value,
      metric_target,
    },
  };
}

export function presentReferral({
  program_enabled,
  code,
  share_url,
  stats,
}: referrals.ClientReferral) {
  return program_enabled ? { enabled: true, code, share_url, stats } : { enabled: false };
}
