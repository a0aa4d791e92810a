import { isHandedOver } from '@laurel/contract';
import type { clients, ledger, passes, referrals, rewards, tiers } from '@laurel/rpc';
import { type Answer, data } from '../../routing';
import { isUuid } from '../../schema/types';

export const presentMe = (client: clients.Client) => ({
  id: client.id,
  first_name: client.first_name,
  last_name: client.last_name,
  email: client.email,
  custom_fields: client.custom_fields,
  workspace_id: client.workspace_id,
  marketing_consent: client.marketing_consent,
});

const unitsOf = ({ unit_singular_name, unit_plural_name }: ledger.WalletType) => ({
  unit_singular_name: unit_singular_name ?? null,
  unit_plural_name: unit_plural_name ?? null,
});

/** What pays, in its own words (part 4, section 8); null where nothing does, or what did is gone. */
export type WalletOf = (
  walletTypeId: string | null | undefined,
) => ReturnType<typeof presentWallet> | null;

export function walletsById({ wallet_types }: ledger.WalletTypes): WalletOf {
  const wallets = new Map(wallet_types.map((type) => [type.id, presentWallet(type)]));
  return (id) => wallets.get(id ?? '') ?? null;
}

const presentWallet = (type: ledger.WalletType) => ({
  wallet_type_id: type.id,
  wallet_type_code: type.code,
  wallet_type_name: type.name,
  ...unitsOf(type),
});

/** Wide enough for the sheet of one reward on a phone; what was uploaded may be of some megabytes. */
const PICTURE = '?width=640';

/** Where a page finds the picture of a reward: a file of the workspace by its id, anything else as the shop wrote it. */
function pictureOf({ image }: rewards.Reward, publicUrl: string): string | null | undefined {
  const id = image?.trim().toLowerCase();
  return isUuid(id) ? `${publicUrl}/assets/${id}${PICTURE}` : image;
}

/** What rewards are shown with. */
export interface Surroundings {
  walletOf: WalletOf;
  publicUrl: string;
}

/** A reward as the list shows it. */
export const presentReward = (
  { reward, can_afford, is_locked, reason }: rewards.ClientReward,
  { walletOf, publicUrl }: Surroundings,
) => ({
  id: reward!.id,
  name: reward!.name,
  description: reward!.description,
  image_url: pictureOf(reward!, publicUrl),
  cost_points: reward!.cost_in_points,
  wallet: walletOf(reward!.wallet_type_id),
  can_afford,
  is_locked,
  reason,
});

/** The same with what else of a reward concerns a customer; never its limits or its coupon pattern. */
export const presentRewardDetail = (seen: rewards.ClientReward, surroundings: Surroundings) => ({
  ...presentReward(seen, surroundings),
  cost_in_points: seen.reward!.cost_in_points,
  wallet_type_id: seen.reward!.wallet_type_id,
  monetary_value: seen.reward!.monetary_value,
  categories: seen.reward!.categories,
  availability_start: seen.reward!.availability_start,
  availability_end: seen.reward!.availability_end,
});

/** A card of the client, what a till finds it by, and how it gets onto a phone (again). */
export const presentPass = ({ pass_id, name, barcode_value, ...links }: passes.OfferedPass) => ({
  id: pass_id,
  name,
  barcode_value,
  apple_pass_url: links.apple_pass_url ?? null,
  google_pass_url: links.google_pass_url ?? null,
});

export const presentRedeemed = ({ redemption }: rewards.Redeemed) => ({
  redemption_id: redemption!.id,
  status: redemption!.status,
  reward_name: redemption!.reward_name,
  coupon_code: redemption!.coupon_code,
  coupon_status: redemption!.coupon_status,
  redeemed_at: redemption!.redemption_date,
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
      ...unitsOf(wallet_type!),
    }));

/**
 * What moved the points of the client, with the description that it was given: the member's statement is the one that staff
 * see (part 4, section 7). Never who did it, nor the metadata.
 */
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

export const presentRedemption = (redemption: rewards.Redemption, walletOf: WalletOf) => ({
  id: redemption.id,
  reward_id: redemption.reward_id,
  reward_name: redemption.reward_name,
  cost_points: redemption.points_spent,
  wallet: walletOf(redemption.wallet_type_id),
  status: redemption.status,
  redeemed_at: redemption.redemption_date,
  coupon_code: redemption.coupon_code,
  coupon_status: redemption.coupon_status,
  used_at: redemption.used_at,
  handed_over: isHandedOver(redemption),
});

/** A tier as its members may know it: never whom staff push what, nor which card or field it changes. */
const presentMemberTier = (tier: tiers.Tier) => ({
  id: tier.id,
  name: tier.name,
  description: tier.description,
  sort_order: tier.sort_order,
  kind: tier.kind,
  condition_values: tier.condition_values,
  benefits: tier.benefits,
  color: tier.color,
  icon: tier.icon,
});

/** @param currency of what is counted; null where that is no money */
export function presentTier({ tier_set, progress }: tiers.ClientTier, currency: string | null) {
  if (!tier_set || !progress) return { tier_set: null, progress: null };
  const { current_tier, next_tier, progress_to_next, metric, metric_value, metric_target } =
    progress;
  const { id, name, active, conditions, tiers: ladder } = tier_set;
  return {
    tier_set: { id, name, active, conditions, tiers: ladder.map(presentMemberTier) },
    progress: {
      current_tier: current_tier ? presentMemberTier(current_tier) : null,
      next_tier: next_tier ? presentMemberTier(next_tier) : null,
      progress_to_next,
      metric,
      currency,
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
