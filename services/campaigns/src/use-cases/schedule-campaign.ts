import { Refusal } from '@laurel/errors';
import { newId, runInContext, takingBack } from '@laurel/lifecycle';
import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { isAhead, scheduled, unscheduled } from '../domain/campaign';
import { changeCampaign, findCampaign } from './change-campaign';
import { requireRunnable } from './check-campaign';
import { toCampaignReply } from './wire';

/**
 * draft -> scheduled: it is launched by itself when its time has come. A deletion of what it names asks for scheduled
 * campaigns as the last thing before the commit, so that either finds the other (docs/adr/0015): one that came too late
 * is a draft again, for the time that it named before.
 */
export async function scheduleCampaign(
  deps: Deps,
  { workspace_id: workspaceId, id, scheduled_at: at }: api.ScheduleCampaignRequest,
): Promise<api.Campaign> {
  const draft = await findCampaign(deps, workspaceId, id);
  if (isAhead(draft)) await requireRunnable(deps, draft);
  let named = draft.scheduled_at;
  const reply = await changeCampaign(deps, { workspaceId, id }, (current, actions) => {
    named = current.scheduled_at;
    const campaign = scheduled(current, {
      at: at === undefined ? null : new Date(at),
      actionCount: actions.length,
      now: deps.clock.now(),
    });
    return { campaign, reply: toCampaignReply(campaign) };
  });
  await lookAgain(deps, { workspace_id: workspaceId, id }, named);
  return reply;
}

/** @param named the time that the draft named by itself */
async function lookAgain(deps: Deps, row: common.Id, named: Date | null): Promise<void> {
  const current = await findCampaign(deps, row.workspace_id, row.id);
  if (current.status !== 'scheduled') return;
  try {
    await requireRunnable(deps, current);
  } catch (error) {
    if (!(error instanceof Refusal) || error.httpStatus !== 400) {
      // It is scheduled: a caller who hears otherwise believes that it is not.
      deps.logger.warn({ err: error, campaign: row.id }, 'a campaign was not looked at again');
      return;
    }
    await runInContext(takingBack(newId()), () => draftAgain(deps, row, named));
    throw error;
  }
}

const draftAgain = (deps: Deps, { workspace_id: workspaceId, id }: common.Id, named: Date | null) =>
  changeCampaign(deps, { workspaceId, id }, (current) => ({
    campaign: { ...unscheduled(current, deps.clock.now()), scheduled_at: named },
    reply: {},
  }));
