import type { ConsumerSpec } from '@laurel/backend';
import { batchOf, EVERY_EVENT, each } from '@laurel/events';
import type { Deps } from './deps';
import { fanOutEvents } from './use-cases/delivery/fan-out-events';
import { eraseClient } from './use-cases/erase-client';
import { appendToFeeds } from './use-cases/feed/append-to-feeds';
import { enqueueOutbound, OUTBOUND_EVENTS } from './use-cases/outbound/enqueue-outbound';
import { removeIntegrations, removeWorkspace } from './use-cases/remove-workspace';

const FAN_OUT_PREFETCH = 500;
const OUTBOUND_PREFETCH = 100;

/** What integrations does when something happened elsewhere. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'integrations.webhook-fanout',
    prefetch: FAN_OUT_PREFETCH,
    batch: batchOf([EVERY_EVENT], async (events, once) => {
      await fanOutEvents(deps, events, once);
      await appendToFeeds(deps, events);
    }),
  },
  {
    queue: 'integrations.outbound',
    prefetch: OUTBOUND_PREFETCH,
    batch: batchOf(OUTBOUND_EVENTS, (events) => enqueueOutbound(deps, events)),
  },
  {
    queue: 'integrations.erasure',
    // Removing and moving are the same however often they are done.
    handlers: {
      'identity.workspace_deleted': async ({ workspaceid }) => {
        await removeIntegrations(deps, workspaceid);
        await removeWorkspace(deps, workspaceid);
      },
      'clients.merged': async ({ workspaceid, data }) => {
        const { source_client_id: source, target_client_id: target } = data;
        await deps.messages.moveClient(workspaceid, source, target);
      },
      ...each(['clients.anonymized', 'clients.deleted'], async ({ workspaceid, data, time }) => {
        const { client_id: clientId } = data;
        await deps.messages.removeClient(workspaceid, clientId);
        const erased = { workspaceId: workspaceid, clientId, erasedAt: new Date(time) };
        await eraseClient(deps, erased);
      }),
    },
  },
];
