import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type CampaignFields, newCampaign } from '../domain/campaign';
import { checkAudience } from './check-audience';
import { toCampaignReply } from './replies';

/** Makes a draft. */
export async function createCampaign(
  deps: Deps,
  { workspace_id: workspaceId, name, ...request }: api.CreateCampaignRequest,
): Promise<api.Campaign> {
  const identity = { id: newId(), workspaceId, now: deps.clock.now() };
  const campaign = newCampaign(identity, { name, ...fieldsOf(request) });
  await checkAudience(deps, workspaceId, campaign);
  return commitOnce(deps.connection, async (session) => {
    await deps.campaigns.insert(campaign, session);
    return toCampaignReply(campaign);
  });
}

/** The fields that a request names. */
export function fieldsOf({
  name,
  description,
  segment_id,
  manual_client_ids,
  scheduled_at: at,
}: Partial<api.CreateCampaignRequest>): Partial<CampaignFields> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(segment_id === undefined ? {} : { segment_id }),
    ...(manual_client_ids === undefined ? {} : { manual_client_ids }),
    ...(at === undefined ? {} : { scheduled_at: at === null ? null : new Date(at) }),
  };
}
