import type { Deps } from '../deps';
import { type Action, isAwaited, reachesPasses, statusAfter } from '../domain/action';
import { figuresOf, type Member } from '../domain/audience';
import type { Claim } from '../store/campaigns';
import type { StoredCampaign } from '../store/mapping';
import { servedTogetherMax } from './apply-action';
import { areServedTogether, serveMembers } from './serve-members';
import { whileHeld } from './while-held';

/** Few enough that a cancellation is noticed soon; those that one call serves it does not part anyway. */
const MEMBERS_PER_PAGE = 100;

/**
 * Takes an action one page of the audience further, or to its end. Whoever has been served is known by what was noted,
 * so that a page that is done again after a crash serves nobody twice. False when the claim was lost.
 */
export async function runAction(
  deps: Deps,
  {
    campaign,
    actions,
    action,
  }: { campaign: StoredCampaign; actions: readonly Action[]; action: Action },
  { claim, until }: { claim: Claim; until: () => Date },
): Promise<boolean> {
  const holding = (write: Parameters<typeof whileHeld>[2]) =>
    whileHeld(deps, { claim, until: until() }, write);
  if (action.status === 'pending')
    return holding((session) => deps.actions.setStatus(action, { status: 'in_progress' }, session));
  const { workspace_id: workspaceId, id: campaignId } = campaign;
  if (action.progress >= campaign.members) {
    const { byAction } = figuresOf(await deps.audience.groups(workspaceId, campaignId));
    const status = statusAfter(byAction.get(action.id) ?? { completed: 0, failed: 0 });
    const done = { status, executed_at: deps.clock.now() };
    return holding((session) => deps.actions.setStatus(action, done, session));
  }
  const isTogether = areServedTogether({ campaign, action });
  const count = isTogether ? servedTogetherMax(action) : MEMBERS_PER_PAGE;
  const range = { after: action.progress, count };
  const startedAt = performance.now();
  const members = (await deps.audience.range(workspaceId, campaignId, range)).filter((member) =>
    isDue(action, member),
  );
  const isLast = !actions.some((other) => isAwaited(other) && other.id !== action.id);
  await serveMembers(deps, { campaign, action, isLast }, members);
  const progress = Math.min(action.progress + count, campaign.members);
  const isHeld = await holding((session) => deps.actions.setProgress(action, progress, session));
  if (progress < campaign.members) {
    const fairMs = (members.length / deps.membersPerSecond) * 1_000;
    await deps.pause(Math.max(0, fairMs - (performance.now() - startedAt)));
  }
  return isHeld;
}

/** Pass actions are for every member, the others for one member of each client. */
function isDue(action: Action, { leads, outcomes }: Member): boolean {
  return (leads || reachesPasses(action)) && !(action.id in outcomes);
}
