import { newId } from '@laurel/lifecycle';
import { checkAndCommitOnce, refuseTakenKey } from '@laurel/mongo';
import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type CampaignFields, newCampaign } from '../domain/campaign';
import { refusals } from '../refusals';
import { checkAudience } from './check-audience';
import { toCampaignReply } from './wire';

/** Makes a draft. */
export async function createCampaign(
  deps: Deps,
  { workspace_id: workspaceId, name, ...request }: api.CreateCampaignRequest,
): Promise<api.Campaign> {
  const identity = { id: newId(), workspaceId, now: deps.clock.now() };
  const campaign = newCampaign(identity, { name, ...fieldsOf(request) });
  const check = () => checkAudience(deps, workspaceId, campaign);
  return checkAndCommitOnce(deps.connection, check, async (session) => {
    const written = deps.campaigns.insert(campaign, session);
    await refuseTakenKey(written, () => refusals.keyTaken({ field: 'key' }));
    return toCampaignReply(campaign);
  });
}

/** The fields that a request names. */
export function fieldsOf({
  key,
  name,
  description,
  segment_id,
  manual_client_ids,
  scheduled_at: at,
}: Partial<api.CreateCampaignRequest>): Partial<CampaignFields> {
  return {
    ...(key === undefined ? {} : { key }),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(segment_id === undefined ? {} : { segment_id }),
    ...(manual_client_ids === undefined ? {} : { manual_client_ids }),
    ...(at === undefined ? {} : { scheduled_at: at === null ? null : new Date(at) }),
  };
}
