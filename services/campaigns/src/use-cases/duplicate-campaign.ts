import { newId } from '@laurel/lifecycle';
import { checkAndCommitOnce } from '@laurel/mongo';
import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import { type Campaign, copyName, isAhead, newCampaign } from '../domain/campaign';
import { refusals } from '../refusals';
import { findCampaign } from './change-campaign';
import { idsListed } from './manual-clients';
import { toCampaignReply } from './wire';

/**
 * Makes a draft of a campaign in any status: its audience, merged clients as whom they became, and, unless the request says otherwise,
 * its actions.
 */
export async function duplicateCampaign(
  deps: Deps,
  { workspace_id: workspaceId, id, name, include_actions }: api.DuplicateCampaignRequest,
): Promise<api.Campaign> {
  const { actions, campaigns, clock, connection } = deps;
  const now = clock.now();
  const look = () => listOfBegun(deps, workspaceId, id);
  return checkAndCommitOnce(connection, look, async (session, listed) => {
    const original = await campaigns.find(workspaceId, id, session);
    if (!original) throw refusals.campaignNotFound();
    const { description, segment_id } = original;
    const manual_client_ids = listed ?? original.manual_client_ids;
    const copy = newCampaign(
      { id: newId(), workspaceId, now },
      { name: name ?? copyName(original.name), description, segment_id, manual_client_ids },
    );
    await campaigns.insert(copy, session);
    const originals = include_actions === false ? [] : await actions.list(workspaceId, id, session);
    await actions.insertAll(
      originals.map((action) => copyOf(action, copy)),
      session,
    );
    return toCampaignReply(copy);
  });
}

/** Null where the campaign is still to run: its list may change, and is as of now whatever it is. */
async function listOfBegun(
  deps: Pick<Deps, 'campaigns' | 'clients'>,
  workspaceId: string,
  id: string,
): Promise<readonly string[] | null> {
  const campaign = await findCampaign(deps, workspaceId, id);
  return isAhead(campaign) ? null : idsListed(deps, campaign);
}

function copyOf(action: Action, { id, date_created }: Campaign): Action {
  return {
    ...action,
    id: newId(),
    campaign_id: id,
    status: 'pending',
    executed_at: null,
    error_message: null,
    requested: false,
    progress: 0,
    handedOut: 0,
    date_created,
  };
}
