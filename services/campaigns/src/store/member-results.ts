import type { CampaignMemberStatus } from '@laurel/contract';
import type { Member, Result } from '../domain/audience';

/** What came of one action for one member. */
export interface MemberResult {
  member: Member;
  result: Result;
  status: CampaignMemberStatus;
  error: string | null;
  rewardsIssued: number;
  at: Date;
}

/** The results that are written alike: of a page as a rule all. */
export function alike(
  results: readonly MemberResult[],
): Map<string, [MemberResult, ...MemberResult[]]> {
  const groups = new Map<string, [MemberResult, ...MemberResult[]]>();
  for (const one of results) {
    const { member, result, status, error, rewardsIssued, at } = one;
    const { workspace_id } = member;
    const key = JSON.stringify([workspace_id, result, status, error, rewardsIssued, at]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
