import { createEvent } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { isAwaited, isDone } from '../domain/action';
import { figuresOf, settledStatus } from '../domain/audience';
import { completed } from '../domain/campaign';
import type { CampaignHead } from '../store/mapping';
import { eventData } from './campaign-events';

const MEMBERS_PER_BATCH = 1_000;

/**
 * Ends the work on an active campaign for which nothing more is asked. It is completed when every action is done, and
 * else waits for the next to be executed. What was asked for meanwhile keeps the work going.
 */
export async function restCampaign(
  deps: Deps,
  { workspace_id: workspaceId, id }: CampaignHead,
): Promise<void> {
  await settleMembers(deps, workspaceId, id);
  const figures = figuresOf(await deps.audience.groups(workspaceId, id));
  await unitOfWork(deps.connection, async (session) => {
    const current = await deps.campaigns.find(workspaceId, id, session);
    if (current?.status !== 'active') return;
    const actions = await deps.actions.list(workspaceId, id, session);
    if (actions.some(isAwaited)) return;
    if (!actions.every(isDone)) return deps.campaigns.replace(current, session, 'end');
    const campaign = completed(current, deps.clock.now());
    await deps.campaigns.replace({ ...current, ...campaign }, session, 'end');
    const data = {
      ...eventData(campaign),
      total_targeted: current.members,
      audience_completed: figures.byStatus.completed,
      audience_failed: figures.byStatus.failed,
      audience_unreachable: figures.byStatus.unreachable,
      rewards_issued: figures.rewardsIssued,
    };
    const event = createEvent('campaigns.completed', { workspaceId, subject: id, data });
    await deps.outbox.append([event], session);
  });
}

/** Members that wait for something which does not come any more get the status that they are left with. */
export async function settleMembers(
  { audience }: Pick<Deps, 'audience'>,
  workspaceId: string,
  campaignId: string,
): Promise<void> {
  for (;;) {
    const waiting = { campaignId, status: 'processing' as const };
    const page = { limit: MEMBERS_PER_BATCH };
    const { members } = await audience.withStatus(workspaceId, waiting, page);
    if (members.length === 0) return;
    const settled = members.map((member) => ({ member, status: settledStatus(member.outcomes) }));
    await audience.settle(settled);
  }
}
