import { runInContext, systemContext } from '@laurel/lifecycle';
import type { Part, PieceJob } from '@laurel/work';
import type { Deps } from '../deps';
import { isAwaited } from '../domain/action';
import { settleCancelled } from './leave-campaign';
import { pageSize, servePage } from './serve-page';
import { CLAIM_MS, retryAt } from './work-times';

/**
 * Serves parts of large audiences (`hand-out-action.ts`). Any number of replicas may do it: each part is claimed, and done
 * again when its worker dies; members served by then are known by what was noted.
 */
export const partWorker = (deps: Deps): PieceJob<Part> => ({
  name: 'serve-campaign-parts',
  due: deps.actionParts.due,
  concurrency: 4,
  share: 1,
  leaseMs: CLAIM_MS,
  clock: deps.clock,
  work: (part) => {
    const context = systemContext({ workspaceId: part.workspaceId, background: true });
    return runInContext(context, () => work(deps, part));
  },
});

async function work(deps: Deps, part: Part): Promise<void> {
  try {
    await servePart(deps, part);
    await deps.actionParts.end(part);
  } catch (error) {
    await deps.actionParts.tryAgain(part, retryAt(deps.clock.now(), part.faults));
    deps.logger.warn({ err: error, action: part.walk }, 'part of an audience waits for a service');
  }
}

/** Page by page; what is left when the campaign does not run any more is left. */
async function servePart(deps: Deps, { workspaceId, walk, subjects, faults }: Part): Promise<void> {
  const of = await deps.actions.find(workspaceId, walk);
  if (!of) return;
  let served = 0;
  while (served < subjects.length) {
    const campaign = await deps.campaigns.findHead(workspaceId, of.campaign_id);
    if (!campaign) return;
    if (campaign.status === 'cancelled' && served > 0) await settleCancelled(deps, campaign);
    const actions = await deps.actions.list(workspaceId, campaign.id);
    const action = actions.find(({ id }) => id === walk);
    if (campaign.status !== 'active' || !action || !isAwaited(action)) return;
    const page = subjects.slice(served, served + pageSize(deps, { action, faults }));
    const members = await deps.audience.some(workspaceId, page);
    await servePage(deps, { campaign, actions, action, faults }, members);
    served += page.length;
  }
}
