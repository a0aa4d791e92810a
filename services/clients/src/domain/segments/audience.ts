/** Clients alike in how they can be reached and in their tier, counted. */
export interface AudienceGroup {
  hasPass: boolean;
  consents: boolean;
  /** Whether they are in the loyalty programme: the others have no tier. */
  loyaltyEnabled: boolean;
  tierId: string | null;
  count: number;
}

export interface AudienceReach {
  total: number;
  reachable: number;
  consenting: number;
  /** Reachable and consenting. */
  addressable: number;
  loyaltyEnabled: number;
}

/** Whom a campaign can reach: messages go to passes, and only to who has consented (part 3, section 16). */
export function reachOf(groups: readonly AudienceGroup[]): AudienceReach {
  return {
    total: countOf(groups),
    reachable: countOf(groups.filter(({ hasPass }) => hasPass)),
    consenting: countOf(groups.filter(({ consents }) => consents)),
    addressable: countOf(groups.filter(({ hasPass, consents }) => hasPass && consents)),
    loyaltyEnabled: countOf(groups.filter(({ loyaltyEnabled }) => loyaltyEnabled)),
  };
}

/**
 * How many of them are in one of the tiers; all of them where none is named.
 *
 * @param assigned the tier that all who can have one are in by then
 */
export function countInTiers(
  groups: readonly AudienceGroup[],
  tierIds: readonly string[],
  assigned?: string,
): number {
  if (tierIds.length === 0) return countOf(groups);
  const tierOf = ({ loyaltyEnabled, tierId }: AudienceGroup): string | null =>
    assigned !== undefined && loyaltyEnabled ? assigned : tierId;
  const isIn = (tierId: string | null) => tierId !== null && tierIds.includes(tierId);
  return countOf(groups.filter((group) => isIn(tierOf(group))));
}

const countOf = (groups: readonly AudienceGroup[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);
