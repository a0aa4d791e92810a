import type { ConsumerSpec } from '@laurel/backend';
import type { CampaignDeleted, ClientsMerged } from '@laurel/events';
import type { Deps } from './deps';
import { forgetClient } from './use-cases/forget-client';
import { moveClient } from './use-cases/move-client';
import { removeWorkspace } from './use-cases/remove-workspace';

/** event -> use case. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'campaigns.merges',
    bindings: ['clients.merged'],
    handle: async (event, once) => {
      const { source_client_id: source, target_client_id: target } = event.data as ClientsMerged;
      await once((session) => moveClient(deps, event.workspaceid!, { source, target }, session));
    },
  },
  {
    queue: 'campaigns.erasures',
    bindings: ['clients.anonymized', 'clients.deleted'],
    handle: async (event, once) => {
      const { client_id: clientId } = event.data as { client_id: string };
      await once((session) => forgetClient(deps, event.workspaceid!, clientId, session));
    },
  },
  {
    queue: 'campaigns.removals',
    bindings: ['campaigns.deleted'],
    handle: (event) => {
      const { campaign_id: campaignId } = event.data as CampaignDeleted;
      return deps.audience.removeCampaign(event.workspaceid!, campaignId);
    },
  },
  {
    queue: 'campaigns.workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: (event) => removeWorkspace(deps, event.workspaceid!),
  },
];
