import type { Json } from '@laurel/errors';
import { personExport, shown } from '@laurel/mongo';
import { collections } from '../collections';
import type { Deps } from '../deps';
import { audience } from '../store/audience';
import { campaigns } from '../store/campaigns';
import { timestampOf } from './wire';

/** The campaigns that a person was in the audience of, what came of it, and those that list them (right of access). */
export const exportClient = personExport<Pick<Deps, 'connection' | 'campaigns'>>(collections, [
  shown(audience, async (deps, members, workspaceId) => {
    const ids = [...new Set(members.map((member) => member.campaign_id))];
    const names = await deps.campaigns.namesOf(workspaceId, ids);
    const audiences = members.map((member) => ({
      campaign_id: member.campaign_id,
      campaign_name: names.get(member.campaign_id) ?? null,
      pass_id: member.pass_id,
      status: member.status,
      error_message: member.error_message,
      processed_at: timestampOf(member.processed_at),
      rewards_issued: member.rewards_issued,
    }));
    return { campaign_audiences: audiences as Json };
  }),
  shown(campaigns, (_deps, listing) => ({
    campaign_lists: listing.map(({ _id, name }) => ({ campaign_id: _id, campaign_name: name })),
  })),
]);
