import type { CampaignActionStatus, CampaignMemberStatus } from '@laurel/contract';

/** What came of one action for one member. */
export type Result = 'completed' | 'failed' | 'unreachable';

/** By action. An action that is not for the member leaves nothing. */
export type Outcomes = { readonly [actionId: string]: Result };

/** Somebody to be reached: a client with one pass, or without any (part 2, Campaign audience member). */
export interface Member {
  id: string;
  workspace_id: string;
  campaign_id: string;
  client_id: string;
  /** Who it was when the audience was fixed, where that one was merged since: services know it by the name of then. */
  first_client_id?: string;
  pass_id: string | null;
  project_id: string | null;
  pass_template_id: string | null;
  /** 1, 2, 3 ... in the order in which the audience was fixed. */
  position: number;
  /** The one member that stands for a client with several passes. */
  leads: boolean;
  status: CampaignMemberStatus;
  outcomes: Outcomes;
  error_message: string | null;
  processed_at: Date | null;
  rewards_issued: number;
  /** By action: how often a service failed for this member alone; absent until one did. */
  faults?: { readonly [actionId: string]: number };
}

/** Whether a member has become another client since the audience was fixed. */
export function isMoved({ client_id: id, first_client_id: first = id }: Member): boolean {
  return first !== id;
}

/** The member in the name of then. */
export function asFixed(member: Member): Member {
  return { ...member, client_id: member.first_client_id ?? member.client_id };
}

/** Members with the same status and outcomes, counted. */
export interface MemberGroup {
  status: CampaignMemberStatus;
  outcomes: Outcomes;
  count: number;
  rewardsIssued: number;
}

/** Of one action: how many members it came to, and what became of it. */
export interface ResultCounts {
  completed: number;
  failed: number;
  unreachable: number;
}

export interface AudienceFigures {
  byStatus: Record<CampaignMemberStatus, number>;
  rewardsIssued: number;
  byAction: ReadonlyMap<string, ResultCounts>;
}

/** The status of a member with nothing more to come: one failure makes it failed, one success else completed. */
export function settledStatus(outcomes: Outcomes): CampaignMemberStatus {
  const results = new Set(Object.values(outcomes));
  for (const status of ['failed', 'completed', 'unreachable'] as const)
    if (results.has(status)) return status;
  return 'pending';
}

/** What an error_message says after one more result: why somebody failed, or was out of reach of everything. */
export function errorAfter(
  { outcomes, error_message: before }: Pick<Member, 'outcomes' | 'error_message'>,
  result: Result,
  error: string | null,
): string | null {
  const earlier = settledStatus(outcomes);
  if (result === 'failed') return earlier === 'failed' ? `${before}; ${error}` : error;
  if (earlier === 'failed') return before;
  return result === 'unreachable' && earlier !== 'completed' ? error : null;
}

export function figuresOf(groups: readonly MemberGroup[]): AudienceFigures {
  const byStatus = { pending: 0, processing: 0, completed: 0, failed: 0, unreachable: 0 };
  const byAction = new Map<string, ResultCounts>();
  let rewardsIssued = 0;
  for (const { status, outcomes, count, rewardsIssued: issued } of groups) {
    byStatus[status] += count;
    rewardsIssued += issued;
    for (const [actionId, result] of Object.entries(outcomes)) {
      const counts = byAction.get(actionId) ?? { completed: 0, failed: 0, unreachable: 0 };
      counts[result] += count;
      byAction.set(actionId, counts);
    }
  }
  return { byStatus, rewardsIssued, byAction };
}

/** How many actions are in each state; those in progress count as pending until they are done. */
export function actionFigures(statuses: readonly CampaignActionStatus[]) {
  const count = (...wanted: CampaignActionStatus[]) =>
    statuses.filter((status) => wanted.includes(status)).length;
  return {
    actions_total: statuses.length,
    actions_pending: count('pending', 'in_progress'),
    actions_completed: count('completed'),
    actions_failed: count('failed'),
  };
}
