import type { Deps } from '../deps';
import type { ActionTask, Holding, Next } from './action-task';
import { inBatches } from './batches';

/** Parts that are handed out ahead of those who work on them: as many members as all may be reached in the time until the next look. */
const PARTS_AHEAD = 8;

/**
 * Hands out the audience of an action, a few parts ahead of the replicas that serve them (docs/adr/0045, `serve-part.ts`),
 * in the order of the audience. Where all was handed out, it waits until all was worked on.
 */
export async function handOutAction(
  deps: Deps,
  { campaign, action }: ActionTask,
  holding: Holding,
): Promise<Next | 'all done'> {
  const { workspace_id: workspaceId, id: campaignId, members } = campaign;
  const { membersPerPart } = deps;
  const walk = { workspaceId, walk: action.id };
  const waiting = await deps.actionParts.count(walk, PARTS_AHEAD);
  // A release before this one may have gone through some of it alone.
  const after = Math.max(action.handedOut, action.progress);
  if (after >= members) return waiting === 0 ? 'all done' : 'later';
  const count = (PARTS_AHEAD - waiting) * membersPerPart;
  if (count === 0) return 'later';
  const ids = await deps.audience.idsIn(workspaceId, campaignId, { after, count });
  const isHeld = await holding(async (session) => {
    await deps.actions.setHandedOut(action, Math.min(after + count, members), session);
    const parts = [...inBatches(ids, membersPerPart)];
    await deps.actionParts.leave({ ...walk, now: deps.clock.now() }, parts, session);
  });
  return isHeld ? 'later' : 'not for us';
}
