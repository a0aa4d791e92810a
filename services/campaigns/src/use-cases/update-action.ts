import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import { requireDraft } from '../domain/campaign';
import { refusals } from '../refusals';
import { changeCampaign, findAction, findHead } from './change-campaign';
import { checkAction } from './check-action';
import { toActionReply } from './wire';

/** Changes what an action does, or where it stands, while its campaign is a draft. */
export async function updateAction(
  deps: Deps,
  { workspace_id: workspaceId, id, action_config: config, sort }: api.UpdateActionRequest,
): Promise<api.Action> {
  const found = await findAction(deps, workspaceId, id);
  requireDraft(await findHead(deps, workspaceId, found.campaign_id));
  const deed =
    config === undefined
      ? {}
      : await checkAction(deps, workspaceId, { type: found.action_type, config });
  return changeCampaign(deps, { workspaceId, id: found.campaign_id }, (campaign, actions) => {
    requireDraft(campaign);
    const current = actions.find((action) => action.id === id);
    if (!current) throw refusals.actionNotFound();
    const action = { ...current, ...deed, ...(sort === undefined ? {} : { sort }) } as Action;
    return {
      campaign,
      write: (session) => deps.actions.rewrite(action, session),
      reply: toActionReply(action),
    };
  });
}
