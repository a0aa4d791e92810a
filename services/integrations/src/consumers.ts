import type { ConsumerSpec } from '@laurel/backend';
import type { ClientsMerged, CloudEvent } from '@laurel/events';
import type { Deps } from './deps';
import { fanOutEvents } from './use-cases/delivery/fan-out-events';
import { eraseClient } from './use-cases/erase-client';
import { appendToFeeds } from './use-cases/feed/append-to-feeds';
import { enqueueOutbound } from './use-cases/outbound/enqueue-outbound';
import { removeIntegrations, removeWorkspace } from './use-cases/remove-workspace';

const FAN_OUT_PREFETCH = 500;
const OUTBOUND_PREFETCH = 100;

/** What integrations does when something happened elsewhere. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
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
    handleBatch: (events) => enqueueOutbound(deps, events),
  },
  {
    queue: 'integrations.erasure',
    bindings: [
      'identity.workspace_deleted',
      'clients.anonymized',
      'clients.deleted',
      'clients.merged',
    ],
    handle: (event) => erase(deps, event),
  },
];

/** Removing and moving are the same however often they are done. */
async function erase(deps: Deps, event: CloudEvent): Promise<void> {
  const { workspaceid: workspaceId, subject: clientId, time } = event;
  if (workspaceId === undefined) return;
  if (event.type === 'identity.workspace_deleted') {
    await removeIntegrations(deps, workspaceId);
    await removeWorkspace(deps, workspaceId);
  } else if (event.type === 'clients.merged') {
    const { source_client_id: from, target_client_id: to } = event.data as ClientsMerged;
    await deps.messages.moveClient(workspaceId, from, to);
  } else {
    await deps.messages.removeClient(workspaceId, clientId);
    await eraseClient(deps, { workspaceId, clientId, erasedAt: new Date(time) });
  }
}
