import { type ConsumerSpec, followWorkspaces } from '@laurel/backend';
import type {
  ClientsMerged,
  CloudEvent,
  DistributionChanged,
  DistributionDeleted,
  TrailEvent,
} from '@laurel/events';
import type { Deps } from './deps';
import type { Deed } from './domain/referral';
import { forgetClient } from './use-cases/forget-client';
import { mergeClients } from './use-cases/merge-clients';
import { qualifyReferral } from './use-cases/qualify-referral';
import { recordClients } from './use-cases/record-clients';
import { recordDistribution } from './use-cases/record-distribution';

const CLIENTS_PREFETCH = 200;

/** event -> use case. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'referrals.qualifying',
    handlers: {
      'transaction.purchase': async (event, once) => {
        if (event.data.amount > 0) await qualify(deps, event, 'first_transaction', once);
      },
      'pass_lifecycle.pass_installed': (event, once) => qualify(deps, event, 'pass_install', once),
    },
    bindings: ['transaction.purchase', 'pass_lifecycle.pass_installed'],
  },
  {
    queue: 'referrals.clients',
    bindings: ['clients.created', 'clients.updated'],
    prefetch: CLIENTS_PREFETCH,
    handleBatch: (events) => recordClients(deps, events),
  },
  {
    queue: 'referrals.departures',
    bindings: ['clients.anonymized', 'clients.deleted', 'clients.merged'],
    handlers: {
      'clients.anonymized': (event, once) => forget(deps, event, 'anonymized', once),
      'clients.deleted': (event, once) => forget(deps, event, 'deleted', once),
      'clients.merged': async (event, once) => {
        const merge = mergeOf(event.data);
        await once((session) => mergeClients(deps, event.workspaceid!, merge, session));
      },
    },
  },
  {
    queue: 'referrals.distributions',
    bindings: ['passes.distribution_updated', 'passes.distribution_deleted'],
    handle: async (event, once) => {
      const news = distributionOf(event);
      await once((session) => recordDistribution(deps, event.workspaceid!, news, session));
    },
  },
  followWorkspaces('referrals.workspaces', deps),
];

type Once = Parameters<NonNullable<ConsumerSpec['handle']>>[1];

/** An event that nobody is known to have caused completes nothing. */
async function qualify(
  deps: Deps,
  event: CloudEvent<string, TrailEvent>,
  criteria: Deed['criteria'],
  once: Once,
): Promise<void> {
  const { id, client_id: clientId, event_type, event_timestamp } = event.data;
  if (clientId === null || event.workspaceid === undefined) return;
  const recordedAt = new Date(event.time);
  // An installation has no moment of its own that a shop could report: it is when we learn of it.
  const happenedAt = criteria === 'pass_install' ? recordedAt : new Date(event_timestamp);
  const deed = { criteria, eventType: event_type, eventId: id, happenedAt, recordedAt };
  await qualifyReferral(deps, { workspaceId: event.workspaceid, clientId, deed }, once);
}

async function forget(
  deps: Deps,
  event: CloudEvent<string, { client_id: string }>,
  ending: 'anonymized' | 'deleted',
  once: Once,
): Promise<void> {
  const client = { clientId: event.data.client_id, ending };
  await once((session) => forgetClient(deps, event.workspaceid!, client, session));
}

function mergeOf({ source_client_id, target_client_id }: ClientsMerged) {
  return { sourceId: source_client_id, targetId: target_client_id };
}

function distributionOf(event: CloudEvent) {
  const asOf = new Date(event.time);
  if (event.type === 'passes.distribution_deleted') {
    const { distribution_id: id } = event.data as DistributionDeleted;
    return { id, publicUrl: null, deleted: true, asOf };
  }
  const { distribution_id: id, public_url: publicUrl } = event.data as DistributionChanged;
  return { id, publicUrl, deleted: false, asOf };
}
