import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { isAwaited, statusAfter } from '../domain/action';
import { figuresOf } from '../domain/audience';
import type { Claim } from '../store/campaigns';
import type { CampaignHead } from '../store/mapping';
import { settleMembers } from './rest-campaign';

/**
 * Clears up after a cancellation: at once, and again when workers of then must have noticed. Members and
 * actions get the status that they are left with.
 */
export async function leaveCampaign(
  deps: Deps,
  campaign: CampaignHead,
  { claim, noticedAfterMs }: { claim: Claim; noticedAfterMs: number },
): Promise<void> {
  await settleCancelled(deps, campaign);
  const noticedAt = new Date((campaign.cancelled_at?.getTime() ?? 0) + noticedAfterMs);
  if (noticedAt <= deps.clock.now()) await deps.campaigns.endWork(claim);
  else await deps.campaigns.release(claim, noticedAt);
}

/** For a worker of when the campaign was cancelled, too: no other knows when it has noted the last one. */
export async function settleCancelled(
  deps: Pick<Deps, 'connection' | 'actions' | 'audience'>,
  campaign: CampaignHead,
): Promise<void> {
  await settleMembers(deps, campaign.workspace_id, campaign.id);
  await settleActions(deps, campaign);
}

/**
 * What has run stays, so that an action that was cancelled on its way is judged by those it came to, and stays pending
 * where it reached no member (part 3, section 13). It is looked at twice: what was noted since may be the first success.
 */
async function settleActions(
  { connection, actions, audience }: Pick<Deps, 'connection' | 'actions' | 'audience'>,
  { workspace_id: workspaceId, id, cancelled_at: cancelledAt }: CampaignHead,
): Promise<void> {
  const { byAction } = figuresOf(await audience.groups(workspaceId, id));
  await unitOfWork(connection, async (session) => {
    for (const action of await actions.list(workspaceId, id, session)) {
      const counts = byAction.get(action.id);
      const isStopped =
        isAwaited(action) || action.executed_at?.getTime() === cancelledAt?.getTime();
      if (!isStopped || !counts) continue;
      const status = statusAfter(counts);
      if (status !== action.status)
        await actions.setStatus(action, { status, executed_at: cancelledAt }, session);
    }
  });
}
