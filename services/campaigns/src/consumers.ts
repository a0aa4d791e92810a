import { type ConsumerSpec, followErasures, followMerges, followWorkspaces } from '@laurel/backend';
import type { Deps } from './deps';

/** What happens elsewhere; of clients and workspaces the collections say what becomes of them. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  followMerges('campaigns.merges', deps),
  followErasures('campaigns.erasures', deps),
  followWorkspaces('campaigns.workspaces', deps),
  {
    queue: 'campaigns.removals',
    handlers: {
      'campaigns.deleted': ({ workspaceid, data }) =>
        deps.audience.removeCampaign(workspaceid, data.campaign_id),
    },
  },
];
