import { type ConsumerSpec, followErasures, followMerges, followWorkspaces } from '@laurel/backend';
import type { CampaignDeleted } from '@laurel/events';
import type { Deps } from './deps';

/** What happens elsewhere; of clients and workspaces the collections say what becomes of them. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  followMerges('campaigns.merges', deps),
  followErasures('campaigns.erasures', deps),
  followWorkspaces('campaigns.workspaces', deps),
  {
    queue: 'campaigns.removals',
    bindings: ['campaigns.deleted'],
    handle: (event) => {
      const { campaign_id: campaignId } = event.data as CampaignDeleted;
      return deps.audience.removeCampaign(event.workspaceid!, campaignId);
    },
  },
];
