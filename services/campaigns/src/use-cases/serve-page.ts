import type { Deps } from '../deps';
import { type Action, isAwaited } from '../domain/action';
import type { Member } from '../domain/audience';
import { isDue } from '../domain/is-due';
import type { CampaignHead } from '../store/mapping';
import { servedTogetherMax } from './apply-action';
import { areServedTogether, serveMembers } from './serve-members';

/** Few enough that a cancellation is noticed soon; those that one call serves it does not part anyway. */
const MEMBERS_PER_PAGE = 100;

/** How many members are served before it is looked again whether the campaign still runs: what one call serves, and no more than a second's. */
export function pageSize(
  { membersPerSecond }: Pick<Deps, 'membersPerSecond'>,
  work: { action: Action; faults: number },
): number {
  const count = areServedTogether(work) ? servedTogetherMax(work.action) : MEMBERS_PER_PAGE;
  return Math.min(count, Math.max(1, Math.floor(membersPerSecond)));
}

interface Page {
  campaign: CampaignHead;
  actions: readonly Action[];
  action: Action;
  faults: number;
}

/** Applies an action to those of some members whom it is for and whom it has not come to yet. */
export async function servePage(
  deps: Deps,
  { campaign, actions, action, faults }: Page,
  members: readonly Member[],
): Promise<void> {
  const due = members.filter((member) => isDue(action, member));
  if (!(await keepPace(deps, { campaign, action }, due.length))) return;
  const isLast = !actions.some((other) => isAwaited(other) && other.id !== action.id);
  await serveMembers(deps, { campaign, action, isLast, faults }, due);
}

/**
 * Waits until all replicas together may reach so many members more; false where the campaign has ended meanwhile. Fewer
 * than may be reached in one second do not wait.
 */
async function keepPace(
  { actions, campaigns, clock, membersPerSecond, pause }: Deps,
  { campaign, action }: Pick<Page, 'campaign' | 'action'>,
  count: number,
): Promise<boolean> {
  if (campaign.members <= membersPerSecond) return true;
  const now = clock.now();
  const turn = await actions.takeTurn(action, { now, forMs: (count / membersPerSecond) * 1_000 });
  const waitMs = turn.getTime() - now.getTime();
  if (waitMs <= 0) return true;
  await pause(waitMs);
  return (await campaigns.findHead(campaign.workspace_id, campaign.id))?.status === 'active';
}
