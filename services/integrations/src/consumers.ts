import type { ConsumerSpec } from '@laurel/backend';
import type { CloudEvent } from '@laurel/events';
import type { WebhookDeps } from './use-cases/deps';
import { eraseClient } from './use-cases/erase-client';
import { fanOutEvents } from './use-cases/fan-out-events';
import { removeWorkspace } from './use-cases/remove-workspace';

const FAN_OUT_PREFETCH = 500;

/** What integrations does when something happened elsewhere. */
export const consumers = (deps: WebhookDeps): ConsumerSpec[] => [
  {
    queue: 'integrations.webhook-fanout',
    bindings: ['#'],
    prefetch: FAN_OUT_PREFETCH,
    handleBatch: (events, once) => fanOutEvents(deps, events, once),
  },
  {
    queue: 'integrations.erasure',
    bindings: ['identity.workspace_deleted', 'clients.anonymized', 'clients.deleted'],
    handle: (event) => erase(deps, event),
  },
];

/** Removing is the same however often it is done. */
async function erase(deps: WebhookDeps, event: CloudEvent): Promise<void> {
  const { workspaceid: workspaceId, subject: clientId, time } = event;
  if (workspaceId === undefined) return;
  if (event.type === 'identity.workspace_deleted') await removeWorkspace(deps, workspaceId);
  else await eraseClient(deps, { workspaceId, clientId, erasedAt: new Date(time) });
}
