import type { Deps } from '../deps';
import { statusAfter } from '../domain/action';
import { figuresOf } from '../domain/audience';
import type { Claim } from '../store/campaigns';
import type { ActionTask, Holding, Next } from './action-task';
import { handOutAction } from './hand-out-action';
import { pageSize, servePage } from './serve-page';
import { whileHeld } from './while-held';

/**
 * Takes an action one page of the audience further, or to its end. Members who have been served are known by what was noted,
 * so that a page that is done again after a crash serves none twice. A large audience is handed out to all replicas.
 */
export async function runAction(
  deps: Deps,
  task: ActionTask,
  { claim, until }: { claim: Claim; until: () => Date },
): Promise<Next> {
  const { campaign, action } = task;
  const holding: Holding = (write) => whileHeld(deps, { claim, until: until() }, write);
  if (action.status === 'pending') {
    const begun = { status: 'in_progress' as const };
    return next(await holding((session) => deps.actions.setStatus(action, begun, session)));
  }
  if (action.progress >= campaign.members) return endAction(deps, task, holding);
  if (campaign.members <= deps.membersPerPart) return goThrough(deps, task, holding);
  const parts = await handOutAction(deps, task, holding);
  return parts === 'all done' ? endAction(deps, task, holding) : parts;
}

const next = (isHeld: boolean): Next => (isHeld ? 'at once' : 'not for us');

async function goThrough(deps: Deps, task: ActionTask, holding: Holding): Promise<Next> {
  const { campaign, action } = task;
  const { workspace_id: workspaceId, id: campaignId, faults } = campaign;
  const count = pageSize(deps, { action, faults });
  const range = { after: action.progress, count };
  const members = await deps.audience.range(workspaceId, campaignId, range);
  await servePage(deps, { ...task, faults }, members);
  const progress = Math.min(action.progress + count, campaign.members);
  return next(await holding((session) => deps.actions.setProgress(action, progress, session)));
}

/** Says what has become of an action that has been through the whole audience. */
async function endAction(
  deps: Deps,
  { campaign, action }: ActionTask,
  holding: Holding,
): Promise<Next> {
  const { byAction } = figuresOf(await deps.audience.groups(campaign.workspace_id, campaign.id));
  const status = statusAfter(byAction.get(action.id) ?? { completed: 0, failed: 0 });
  const done = { status, executed_at: deps.clock.now() };
  return next(await holding((session) => deps.actions.setStatus(action, done, session)));
}
