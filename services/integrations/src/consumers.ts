import type { ConsumerSpec } from '@laurel/backend';
import type { ClientsMerged, CloudEvent } from '@laurel/events';
import { appendToFeeds } from './use-cases/append-to-feeds';
import type { WebhookDeps } from './use-cases/deps';
import { enqueueOutbound } from './use-cases/enqueue-outbound';
import { eraseClient } from './use-cases/erase-client';
import { fanOutEvents } from './use-cases/fan-out-events';
import type { IntegrationDeps } from './use-cases/integration-deps';
import { removeIntegrations, removeWorkspace } from './use-cases/remove-workspace';

const FAN_OUT_PREFETCH = 500;
const OUTBOUND_PREFETCH = 100;

/** What integrations does when something happened elsewhere. */
export const consumers = (deps: WebhookDeps, integrations: IntegrationDeps): ConsumerSpec[] => [
  {
    queue: 'integrations.webhook-fanout',
    bindings: ['#'],
    prefetch: FAN_OUT_PREFETCH,
    handleBatch: async (events, once) => {
      await fanOutEvents(deps, events, once);
      await appendToFeeds(deps, events);
    },
  },
  {
    queue: 'integrations.outbound',
    bindings: [
      'clients.created',
      'clients.updated',
      'clients.anonymized',
      'clients.deleted',
      'clients.merged',
      'tiers.tier_promoted',
      'tiers.tier_demoted',
    ],
    prefetch: OUTBOUND_PREFETCH,
    handleBatch: (events) => enqueueOutbound(integrations, events),
  },
  {
    queue: 'integrations.erasure',
    bindings: [
      'identity.workspace_deleted',
      'clients.anonymized',
      'clients.deleted',
      'clients.merged',
    ],
    handle: (event) => erase(deps, integrations, event),
  },
];

/** Removing and moving are the same however often they are done. */
async function erase(
  deps: WebhookDeps,
  integrations: IntegrationDeps,
  event: CloudEvent,
): Promise<void> {
  const { workspaceid: workspaceId, subject: clientId, time } = event;
  if (workspaceId === undefined) return;
  if (event.type === 'identity.workspace_deleted') {
    await removeIntegrations(integrations, workspaceId);
    await removeWorkspace(deps, workspaceId);
  } else if (event.type === 'clients.merged') {
    const { source_client_id: from, target_client_id: to } = event.data as ClientsMerged;
    await integrations.messages.moveClient(workspaceId, from, to);
  } else {
    await integrations.messages.removeClient(workspaceId, clientId);
    await eraseClient(deps, { workspaceId, clientId, erasedAt: new Date(time) });
  }
}
