import type { Json, JsonObject } from '@laurel/errors';

/** What a client has in one wallet. */
export interface WalletFacts {
  code: string;
  is_default: boolean;
  /** What can be spent now. */
  points: number;
  name: string;
  unit_singular_name: string | null;
  unit_plural_name: string | null;
}

export interface TierFacts {
  name: string;
  /** 1 for the lowest. */
  level: number;
  benefits: readonly { label: string; value: string | null }[];
}

/** A reward the client could redeem now. */
export interface RewardFacts {
  name: string;
  cost_in_points: number;
}

/** A redeemed reward that was not used yet. */
export interface ActiveRewardFacts {
  name: string;
  coupon_code: string | null;
}

/** Everything a pass shows besides its template. A pass of nobody has no identity; what is not shown is not gathered. */
export interface PassFacts {
  /** Shown as the issuer of the pass. */
  organizationName: string;
  /** Columns of the client that say who it is; null for a pass of nobody. */
  identity: Readonly<Record<string, Json>> | null;
  customFields: JsonObject;
  wallets: readonly WalletFacts[];
  tier: TierFacts | null;
  referralCode: string | null;
  availableRewards: readonly RewardFacts[];
  activeRewards: readonly ActiveRewardFacts[];
  portalUrl: string | null;
}

/** Which facts a template needs, so that a pass costs only the calls that it shows something of. */
export interface FactsNeeded {
  wallets: boolean;
  tier: boolean;
  referralCode: boolean;
  availableRewards: boolean;
  activeRewards: boolean;
  portalUrl: boolean;
}
