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
}

export interface Person {
  id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  marketing_consent: boolean;
}

export interface Balance {
  wallet_type_id: string;
  wallet_type_code: string;
  wallet_type_name: string;
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

export interface TierProgress {
  tier_set: { name: string; tiers: Tier[] } | null;
  progress: {
    current_tier: Tier | null;
    next_tier: Tier | null;
    progress_to_next: number;
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
  can_afford: boolean;
  is_locked: boolean;
  reason: string | null;
}

export interface Redeemed {
  redemption_id: string;
  status: string;
  reward_name: string;
  coupon_code: string | null;
  coupon_status: string | null;
}

export interface Redemption {
  id: string;
  reward_name: string;
  cost_points: number;
  status: 'pending' | 'fulfilled' | 'cancelled' | 'expired';
  redeemed_at: string;
  coupon_code: string | null;
  coupon_status: string | null;
  used_at: string | null;
}

export interface RedemptionPage {
  data: Redemption[];
  meta: { total: number; limit: number; offset: number };
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
