import { newId } from '@laurel/lifecycle';
import { repeatable } from '@laurel/mongo';
import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { ACTIONS_MAX, lastSort, newAction } from '../domain/action';
import { requireDraft } from '../domain/campaign';
import { refusals } from '../refusals';
import { changeCampaign, findHead } from './change-campaign';
import { checkAction } from './check-action';
import { toActionReply } from './wire';

/** Adds an action to a draft, behind the others unless a place is given. */
export function createAction(deps: Deps, request: api.CreateActionRequest): Promise<api.Action> {
  return repeatable(deps.connection, () => addAction(deps, request));
}

async function addAction(deps: Deps, request: api.CreateActionRequest): Promise<api.Action> {
  const { workspace_id: workspaceId, campaign_id: campaignId, action_type: type } = request;
  requireDraft(await findHead(deps, workspaceId, campaignId));
  const deed = await checkAction(deps, workspaceId, { type, config: request.action_config });
  const identity = { id: newId(), workspaceId, campaignId, now: deps.clock.now() };
  return changeCampaign(deps, { workspaceId, id: campaignId }, (campaign, actions) => {
    requireDraft(campaign);
    if (actions.length >= ACTIONS_MAX) throw refusals.tooManyActions();
    const action = newAction(identity, deed, request.sort ?? lastSort(actions));
    return {
      campaign,
      write: (session) => deps.actions.insertAll([action], session),
      reply: toActionReply(action),
    };
  });
}
