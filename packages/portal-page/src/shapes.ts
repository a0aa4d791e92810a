import type { CouponStatus, RedemptionStatus } from '@laurel/contract';

// What /public/loyalty answers, as far as the page shows it.

export interface PortalConfig {
  workspace_name: string;
  workspace_slug: string;
  logo_url: string | null;
  welcome_title: string | null;
  welcome_subtitle: string | null;
  show_tier: boolean;
  show_rewards: boolean;
  show_redemption_history: boolean;
  show_referral: boolean;
  cta_label: string | null;
  privacy_url: string | null;
  terms_url: string | null;
  imprint_url?: string | null;
}

export interface Person {
  id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  marketing_consent: boolean;
}

/** What is counted in a wallet, in its own words; null where it has none. */
export interface Wallet {
  wallet_type_id: string;
  wallet_type_code: string;
  wallet_type_name: string;
  unit_singular_name: string | null;
  unit_plural_name: string | null;
}

export interface Balance extends Wallet {
  active_balance: number;
  pending_balance: number;
}

export interface Tier {
  id: string;
  name: string;
  description: string | null;
  color: string | null;
  benefits: { id: string; label: string; value?: unknown }[];
}

/** What a tier is reached by; points of every wallet where none is named. */
export interface TierCondition {
  type: string;
  wallet_type_code?: string | null;
}

export interface TierProgress {
  tier_set: { name: string; tiers: Tier[]; conditions: TierCondition[] } | null;
  progress: {
    current_tier: Tier | null;
    next_tier: Tier | null;
    progress_to_next: number;
    /** Which of the conditions is furthest from being met. */
    metric: string | null;
    /** Of what is counted; null where that is no money. */
    currency?: string | null;
    metric_value: number | null;
    metric_target: number | null;
  } | null;
}

export interface Reward {
  id: string;
  name: string;
  description: string | null;
  image_url: string | null;
  cost_points: number;
  wallet: Wallet | null;
  can_afford: boolean;
  is_locked: boolean;
  reason: string | null;
}

export interface RewardDetail extends Reward {
  availability_end: string | null;
}

export interface Redeemed {
  redemption_id: string;
  status: RedemptionStatus;
  reward_name: string;
  coupon_code: string | null;
  coupon_status: CouponStatus | null;
  redeemed_at: string;
}

export interface Redemption {
  id: string;
  reward_name: string;
  cost_points: number;
  wallet: Wallet | null;
  status: RedemptionStatus;
  redeemed_at: string;
  coupon_code: string | null;
  coupon_status: CouponStatus | null;
  used_at: string | null;
  /** Also where it was redeemed at the till, and no time was noted; platforms of before do not say so. */
  handed_over?: boolean;
}

export interface RedemptionPage {
  data: Redemption[];
  meta: { total: number; limit: number; offset: number };
}

/** What came (above zero) or went, and what was there afterwards. */
export interface Entry {
  id: string;
  type: string;
  status: string;
  amount: number;
  balance_after: number;
  description: string | null;
  expires_at: string | null;
  created_at: string;
}

export interface StatementPage {
  data: Entry[];
  meta: {
    next_cursor: string | null;
    expiring: { amount: number; expires_at: string }[];
  };
}

/** A card of the client; a link is null for a wallet that would not take it. */
export interface Card {
  id: string;
  name: string;
  /** What a till finds the client by. */
  barcode_value: string;
  apple_pass_url: string | null;
  google_pass_url: string | null;
}

export interface Referral {
  enabled: boolean;
  code?: string | null;
  share_url?: string | null;
  stats?: { pending: number; completed: number; expired: number; cancelled: number };
}

export interface Session {
  token: string;
}
