import type { EventOf, KnownElsewhere } from '@laurel/events';
import type { IntegrationDeps } from '../../deps';
import { findProvider } from '../../outside/providers';
import type { IntegrationRow } from '../../store/integrations';
import type { NewOutboundJob } from '../../store/outbound-jobs';

type Telling = Pick<IntegrationRow, 'workspace_id' | 'provider' | 'config' | 'enabled_outbound'>;

/** After these an outside system may know something of a client that is so no more. */
export const OUTBOUND_EVENTS = [
  'clients.created',
  'clients.updated',
  'clients.anonymized',
  'clients.deleted',
  'clients.merged',
  'tiers.tier_promoted',
  'tiers.tier_demoted',
] as const;
type OutboundEvent = EventOf<(typeof OUTBOUND_EVENTS)[number]>;

/**
 * Notes for every integration that tells an outside system which clients changed or went. Repeating it is harmless:
 * what is sent is how the client is at that time. That somebody is to be forgotten is kept for one that is switched off, and
 * for every system that a deleted client has an id in (part 1, Client).
 */
export async function enqueueOutbound(
  deps: IntegrationDeps,
  events: readonly OutboundEvent[],
): Promise<void> {
  const { integrations, outboundJobs, clock, soon } = deps;
  const workspaces = new Set(events.map(({ workspaceid }) => workspaceid));
  const telling = await integrations.tellingOf([...workspaces]);
  for (const event of events) {
    const own = telling.filter((row) => row.workspace_id === event.workspaceid);
    for (const row of own) {
      for (const job of jobsOf(row, event)) {
        if (row.enabled_outbound) await outboundJobs.enqueue(job, clock.now());
        else if (isErasure(event, job)) await holdErasure(deps, job);
      }
    }
    const heard = new Set(own.map(({ provider }) => provider));
    for (const job of owedElsewhere(event, heard)) await oweErasure(deps, job);
  }
  if (telling.length > 0) soon.outbound();
}

/** That a deleted client is to be forgotten by systems that know them and hear of nothing here. */
function owedElsewhere(event: OutboundEvent, heard: ReadonlySet<string>): NewOutboundJob[] {
  if (event.type !== 'clients.deleted') return [];
  const { external_identities: known = [] } = event.data;
  return known
    .filter(({ provider }) => findProvider(provider)?.outbound && !heard.has(provider))
    .map(({ provider, external_id: externalId }) => ({
      workspaceId: event.workspaceid,
      ...{ provider, clientId: event.subject, externalId, action: 'delete_customer' },
    }));
}

const isErasure = ({ type }: OutboundEvent, { action }: NewOutboundJob): boolean =>
  action === 'delete_customer' || type === 'clients.anonymized';

async function holdErasure(deps: IntegrationDeps, job: NewOutboundJob): Promise<void> {
  await deps.outboundJobs.enqueue(job, deps.clock.now(), { isHeld: true });
  await releaseIfOn(deps, job);
}

/** As `holdErasure`, of a provider that may not be set up. */
async function oweErasure(deps: IntegrationDeps, job: NewOutboundJob): Promise<void> {
  if (await deps.integrations.get(job.workspaceId, job.provider)) return holdErasure(deps, job);
  const { outboundJobs, clock } = deps;
  await outboundJobs.enqueue(job, clock.now(), { isHeld: true, isUnaddressed: true });
}

/** Switching an integration on has released what was held by then; what was held at the same moment is released here. */
export async function releaseIfOn(
  { integrations, outboundJobs, clock, soon }: IntegrationDeps,
  { workspaceId, provider }: Pick<NewOutboundJob, 'workspaceId' | 'provider'>,
): Promise<void> {
  const row = await integrations.get(workspaceId, provider);
  if (!row?.enabled_outbound) return;
  await outboundJobs.release(workspaceId, { provider, now: clock.now() });
  soon.outbound();
}

function jobsOf(
  { workspace_id: workspaceId, provider, config }: Telling,
  event: OutboundEvent,
): NewOutboundJob[] {
  const outbound = findProvider(provider)?.outbound;
  if (!outbound) return [];
  const about = (clientId: string): Omit<NewOutboundJob, 'action'> => ({
    workspaceId,
    provider,
    clientId,
  });
  // Nothing else knows it any more when the job is worked on.
  const idIn = ({ external_identities = [] }: { external_identities?: KnownElsewhere[] }) => {
    const known = external_identities.find((each) => each.provider === provider);
    return known === undefined ? {} : { externalId: known.external_id };
  };
  switch (event.type) {
    case 'clients.deleted':
      return [{ ...about(event.subject), ...idIn(event.data), action: 'delete_customer' }];
    case 'clients.anonymized':
      return [{ ...about(event.subject), ...idIn(event.data), action: 'upsert_customer' }];
    case 'clients.merged': {
      const { source_client_id, target_client_id } = event.data;
      return [
        { ...about(source_client_id), ...idIn(event.data), action: 'delete_customer' },
        { ...about(target_client_id), action: 'upsert_customer' },
      ];
    }
    case 'tiers.tier_promoted':
    case 'tiers.tier_demoted':
      return outbound.tellsTier(config)
        ? [{ ...about(event.subject), action: 'upsert_customer' }]
        : [];
    default:
      return [{ ...about(event.subject), action: 'upsert_customer' }];
  }
}
