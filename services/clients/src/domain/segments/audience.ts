/** Clients alike in how they can be reached and in their tier, counted. */
export interface AudienceGroup {
  hasPass: boolean;
  consents: boolean;
  tierId: string | null;
  count: number;
}

export interface AudienceReach {
  total: number;
  reachable: number;
  consenting: number;
  /** Reachable and consenting. */
  addressable: number;
}

/** Whom a campaign can reach: messages go to passes, and only to who has consented (part 3, section 16). */
export function reachOf(groups: readonly AudienceGroup[]): AudienceReach {
  return {
    total: countOf(groups),
    reachable: countOf(groups.filter(({ hasPass }) => hasPass)),
    consenting: countOf(groups.filter(({ consents }) => consents)),
    addressable: countOf(groups.filter(({ hasPass, consents }) => hasPass && consents)),
  };
}

/** How many of them are in one of the tiers; all of them where none is named. */
export function countInTiers(groups: readonly AudienceGroup[], tierIds: readonly string[]): number {
  if (tierIds.length === 0) return countOf(groups);
  return countOf(groups.filter(({ tierId }) => tierId !== null && tierIds.includes(tierId)));
}

const countOf = (groups: readonly AudienceGroup[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);
