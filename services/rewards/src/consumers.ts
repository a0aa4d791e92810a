import type { ConsumerSpec } from '@laurel/backend';
import type { ClientsMerged } from '@laurel/events';
import type { Deps } from './deps';
import { forgetClient } from './use-cases/forget-client';
import { moveClient } from './use-cases/move-client';
import { removeWorkspace } from './use-cases/remove-workspace';

/** What this service learns from others: queue and events -> use case. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'rewards.merges',
    bindings: ['clients.merged'],
    handle: async (event, once) => {
      const { source_client_id: source, target_client_id: target } = event.data as ClientsMerged;
      // Known first, moved then: a redemption on its way is either here to be moved or looks and learns of it.
      await deps.merges.note(event.workspaceid!, source, target);
      await once((session) => moveClient(deps, event.workspaceid!, { source, target }, session));
    },
  },
  {
    queue: 'rewards.erasures',
    bindings: ['clients.anonymized', 'clients.deleted'],
    handle: async (event, once) => {
      const { client_id: clientId } = event.data as { client_id: string };
      const isDeleted = event.type === 'clients.deleted';
      await once((session) =>
        forgetClient(deps, event.workspaceid!, { clientId, isDeleted }, session),
      );
    },
  },
  {
    queue: 'rewards.workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: (event) => removeWorkspace(deps, event.workspaceid!),
  },
];
