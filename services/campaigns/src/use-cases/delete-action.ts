import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireDraft } from '../domain/campaign';
import { refusals } from '../refusals';
import { changeCampaign, findAction } from './change-campaign';

/** Takes an action out of a draft. */
export async function deleteAction(
  deps: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  const found = await findAction(deps, workspaceId, id);
  await changeCampaign(deps, { workspaceId, id: found.campaign_id }, (campaign, actions) => {
    requireDraft(campaign);
    if (!actions.some((action) => action.id === id)) throw refusals.actionNotFound();
    return { campaign, write: (session) => deps.actions.remove(found, session), reply: {} };
  });
  return {};
}
