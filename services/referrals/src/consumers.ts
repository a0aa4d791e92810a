import { type ConsumerSpec, erasureOf, followWorkspaces } from '@laurel/backend';
import { batchOf, type EventOf, each, type Once } from '@laurel/events';
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
        if (event.data.amount > 0)
          await qualify(deps, { event, criteria: 'first_transaction' }, once);
      },
      'pass_lifecycle.pass_installed': (event, once) =>
        qualify(deps, { event, criteria: 'pass_install' }, once),
    },
  },
  {
    queue: 'referrals.clients',
    prefetch: CLIENTS_PREFETCH,
    batch: batchOf(['clients.created', 'clients.updated'], (events) => recordClients(deps, events)),
  },
  {
    queue: 'referrals.departures',
    handlers: {
      ...each(['clients.anonymized', 'clients.deleted'], async (event, once) => {
        await once((session) => forgetClient(deps, erasureOf(event), session));
      }),
      'clients.merged': async ({ workspaceid, data }, once) => {
        const merge = {
          workspaceId: workspaceid,
          sourceId: data.source_client_id,
          targetId: data.target_client_id,
        };
        await once((session) => mergeClients(deps, merge, session));
      },
    },
  },
  {
    queue: 'referrals.distributions',
    handlers: each(
      ['passes.distribution_updated', 'passes.distribution_deleted'],
      async (event, once) => {
        const news = { workspaceId: event.workspaceid, ...distributionOf(event) };
        await once((session) => recordDistribution(deps, news, session));
      },
    ),
  },
  followWorkspaces('referrals.workspaces', deps),
];

type QualifyingEvent = EventOf<'transaction.purchase' | 'pass_lifecycle.pass_installed'>;

/** An event without a client completes nothing. */
async function qualify(
  deps: Deps,
  { event, criteria }: { event: QualifyingEvent; criteria: Deed['criteria'] },
  once: Once,
): Promise<void> {
  const { id, client_id: clientId, event_type, event_timestamp, merged_clients } = event.data;
  if (clientId === null) return;
  const recordedAt = new Date(event.time);
  // An installation has no moment of its own that a shop could report: it is when we learn of it.
  const happenedAt = criteria === 'pass_install' ? recordedAt : new Date(event_timestamp);
  const deed = { criteria, eventType: event_type, eventId: id, happenedAt, recordedAt };
  const doer = { workspaceId: event.workspaceid, clientId, merged: merged_clients ?? [] };
  await qualifyReferral(deps, { ...doer, deed }, once);
}

function distributionOf(
  event: EventOf<'passes.distribution_updated' | 'passes.distribution_deleted'>,
) {
  const { distribution_id: id } = event.data;
  const at = new Date(event.time);
  if (event.type === 'passes.distribution_deleted')
    return { id, publicUrl: null, deleted: true, asOf: { revision: null, at } };
  const { public_url: publicUrl, distribution_revision: revision = null } = event.data;
  return { id, publicUrl, deleted: false, asOf: { revision, at } };
}
