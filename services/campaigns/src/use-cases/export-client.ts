import type { Json } from '@laurel/errors';
import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { timestampOf } from './replies';

/** The campaigns that a person was in the audience of, what came of it, and those that list them (right of access). */
export async function exportClient(
  { audience, campaigns }: Pick<Deps, 'audience' | 'campaigns'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ClientExport> {
  const members = await audience.ofClient(workspaceId, clientId);
  const ids = [...new Set(members.map((member) => member.campaign_id))];
  const names = await campaigns.namesOf(workspaceId, ids);
  const audiences = members.map((member) => ({
    campaign_id: member.campaign_id,
    campaign_name: names.get(member.campaign_id) ?? null,
    pass_id: member.pass_id,
    status: member.status,
    error_message: member.error_message,
    processed_at: timestampOf(member.processed_at),
    rewards_issued: member.rewards_issued,
  }));
  const lists = (await campaigns.listing(workspaceId, clientId)).map(({ id, name }) => ({
    campaign_id: id,
    campaign_name: name,
  }));
  return { data: { campaign_audiences: audiences as Json, campaign_lists: lists } };
}
