import { keyAfter, refuseTakenKey } from '@laurel/mongo';
import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { changed } from '../domain/campaign';
import { refusals } from '../refusals';
import { changeCampaign, findCampaign } from './change-campaign';
import { checkAudience } from './check-audience';
import { fieldsOf } from './create-campaign';
import { toCampaignReply } from './wire';

/** Changes the fields that are named, of a draft. */
export async function updateCampaign(
  deps: Deps,
  { workspace_id: workspaceId, id, ...request }: api.UpdateCampaignRequest,
): Promise<api.Campaign> {
  const fields = fieldsOf(request);
  const now = deps.clock.now();
  changed(await findCampaign(deps, workspaceId, id), fields, now);
  await checkAudience(deps, workspaceId, fields);
  const written = changeCampaign(deps, { workspaceId, id }, (current) => {
    const key = keyAfter(current.key, fields.key, () => refusals.keyGiven({ field: 'key' }));
    const campaign = changed(current, { ...fields, key }, now);
    return { campaign, reply: toCampaignReply(campaign) };
  });
  return refuseTakenKey(written, () => refusals.keyTaken({ field: 'key' }));
}
