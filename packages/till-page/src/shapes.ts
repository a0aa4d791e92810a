import type { AppActionType, AppFieldType, CouponFault, RedemptionStatus } from '@laurel/contract';
import type { SignedIn } from '@laurel/page-kit';

/** What the platform answers, as far as the till reads it. Amounts are numbers with at most four decimals. */
export interface Staff extends SignedIn {
  user: { id: string; first_name: string | null; email: string | null };
  workspace: { id: string; name: string; slug: string };
}

/** What may be chosen as an answer; it is sent as text. */
export type Choice = string | number | boolean;

export interface FormField {
  name: string;
  label: string;
  type: AppFieldType;
  required?: boolean;
  placeholder?: string | null;
  options?: (Choice | { value?: Choice; label?: string })[] | null;
}

export interface Action {
  id: string;
  name: string;
  action_type: AppActionType;
  action_config: {
    wallet_type_codes?: string[];
    default_points?: number;
    default_amount?: number;
    max_points?: number;
    require_description?: boolean;
  };
  form_fields: FormField[];
}

export interface WalletType {
  code: string;
  name: string;
  unit_singular_name: string | null;
  unit_plural_name: string | null;
}

export interface App {
  config: { app_config: { welcome_message?: string }; hidden_fields: string[] | null };
  actions: Action[];
  wallet_types: WalletType[];
}

export interface Wallet {
  wallet_type_code: string;
  active_balance: number;
  pending_balance: number;
}

export interface Person {
  id: string;
  first_name?: string | null;
  last_name?: string | null;
  email?: string | null;
}

export interface Pass {
  id: string;
  barcode_value: string;
  status: string;
  /** An expired pass is active all the same (part 4, section 12). */
  expires_at: string | null;
  client: Person | null;
}

export interface WholePass extends Pass {
  tier: { name: string } | null;
  wallets: (Wallet & { wallet_type_id: string })[];
}

export interface Reward {
  id: string;
  name: string;
  cost_in_points: number;
  wallet_type_id: string | null;
  can_afford: boolean;
  is_locked: boolean;
  reason: string | null;
}

/** A reward that somebody redeemed. */
export interface Redemption {
  id: string;
  reward_name: string;
  status: RedemptionStatus;
  /** By whom: the customer in the portal, a till (`mobile`), a rule, or somebody at the desk. */
  source: string;
  redemption_date: string;
  used_at: string | null;
}

export interface Executed {
  /** Names what was done, for what follows from it and for taking it back; null where the answer did not say. */
  operation_id: string | null;
  action_type: AppActionType;
  result: Record<string, unknown>;
  balances: Wallet[];
}

/** Whether a coupon is good, and whose it is; without a redemption where the code is of none. */
export interface CouponVerdict {
  valid: boolean;
  reason: CouponFault | null;
  redemption: { id: string; reward_name: string | null } | null;
  client: Person | null;
}

/** Somebody new, with the links by which their phone takes the card; null for a wallet that is not set up. */
export interface SignedUp extends WholePass {
  apple_pass_url: string | null;
  google_pass_url: string | null;
}

/** One thing that this phone did. */
export interface Operation {
  id: string;
  action_id: string;
  action_name: string;
  pass_id: string;
  client_name: string | null;
  amount: number | null;
  wallet_type_code: string | null;
  currency: string | null;
  at: string;
  undone_at: string | null;
  undoable: boolean;
}

/** What came of an operation, rules included. */
export interface Followed {
  state: 'running' | 'done';
  entries: { id: string; wallet_type_code: string; amount: number }[];
  rewards: { name: string; redemption_id: string; coupon_code: string | null }[];
  /** By name: they could not do all they should. */
  failed_rules: string[];
  tier: { name: string } | null;
  balances: Wallet[];
}

/** What an action would come to. */
export interface Quote {
  effects: { wallet_type_code: string | null; points: number | null }[];
  /** Rules may do more. */
  is_cut: boolean;
}

export interface Undone {
  balances: Wallet[];
}
