import type { Language } from '@laurel/contract';
import type { FactNeeds, PassFacts } from '../pass/placeholders';

/** A line about a tier, e.g. a free refill. */
export interface BenefitFacts {
  label: string;
  value: string | null;
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

/** Everything a pass shows besides its template; what it does not show is not gathered. */
export interface CardFacts extends PassFacts {
  /** Shown as the issuer of the pass. */
  organizationName: string;
  /** Of the workspace: what stands on the card besides its own texts. */
  language: Language;
  benefits: readonly BenefitFacts[];
  availableRewards: readonly RewardFacts[];
  activeRewards: readonly ActiveRewardFacts[];
  portalUrl: string | null;
}

/** Which facts a template needs, so that a pass costs only the calls that it shows something of. */
export interface CardNeeds extends FactNeeds {
  benefits: boolean;
  availableRewards: boolean;
  activeRewards: boolean;
  portalUrl: boolean;
}
