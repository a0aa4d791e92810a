import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import { type Campaign, copyName, newCampaign } from '../domain/campaign';
import { refusals } from '../refusals';
import { toCampaignReply } from './wire';

/** Makes a draft of a campaign in any status: its audience and, unless the request says otherwise, its actions. */
export async function duplicateCampaign(
  { actions, campaigns, clock, connection }: Deps,
  { workspace_id: workspaceId, id, name, include_actions }: api.DuplicateCampaignRequest,
): Promise<api.Campaign> {
  const now = clock.now();
  return commitOnce(connection, async (session) => {
    const original = await campaigns.find(workspaceId, id, session);
    if (!original) throw refusals.campaignNotFound();
    const { description, segment_id, manual_client_ids } = original;
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
