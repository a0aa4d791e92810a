import { createHash } from 'node:crypto';
import { Refusal } from '@laurel/errors';
import { isSandbox } from '@laurel/lifecycle';
import type { IntegrationDeps } from '../../deps';
import { nextAttemptAt } from '../../domain/retry';
import { findProvider } from '../../outside/providers';
import type { Account, Customer, Outbound, Told } from '../../outside/providers/provider';
import type { Rest, RestAnswer } from '../../outside/rest';
import type { LeasedJob } from '../../store/outbound-job-rows';
import { accountOf } from '../integration/require-integration';
import { releaseIfOn } from './enqueue-outbound';

/** While another part of the platform is away, which is not the outside system's fault. */
const AWAY_MS = 5_000;

const NOTHING: RestAnswer = { status: null, error: null, retryAfterMs: null };

/** What came of it, and what the outside system knows now. */
interface Settled extends Told {
  told?: string | null;
}

interface Telling {
  job: LeasedJob;
  rest: Rest;
  account: Account;
  outbound: Outbound;
}

/** What is to become of a job. */
type Outcome = Settled | 'goes' | 'is held' | 'waits for us';

/** Where something went wrong here that does not pass by itself: seen, tried again and given up as what the system refuses. */
const OUR_FAULT: Settled = {
  ...NOTHING,
  error: 'the client could not be sent: an internal error, which stands in the log of the platform',
};

/** Tells an outside system how one client is now, or that it is gone; with the retries of webhooks. */
export async function tellCustomer(deps: IntegrationDeps, job: LeasedJob): Promise<void> {
  const { outboundJobs } = deps;
  const outcome = await outcomeOf(deps, job);
  if (outcome === 'goes') await outboundJobs.drop(job);
  else if (outcome === 'is held') await hold(deps, job);
  else if (outcome === 'waits for us') {
    const now = deps.clock.now();
    const until = new Date(now.getTime() + AWAY_MS);
    await outboundJobs.postpone(job, { until, error: null, failures: job.failures, now });
  } else await settle(deps, job, outcome);
}

/**
 * What goes wrong on the way is part of it. What goes wrong where it is written down is not: what the outside system has taken
 * by then would be sent anew.
 */
async function outcomeOf(deps: IntegrationDeps, job: LeasedJob): Promise<Outcome> {
  const { workspace_id: workspaceId, provider } = job;
  const integration = await deps.integrations.get(workspaceId, provider);
  const outbound = findProvider(provider)?.outbound;
  // Outside systems hear nothing of a sandbox (docs/adr/0029).
  if (!integration || !outbound || isSandbox(workspaceId)) return 'goes';
  try {
    if (!integration.enabled_outbound) return (await isErasure(deps, job)) ? 'is held' : 'goes';
    const rest = deps.restOf({ workspaceId, provider });
    const telling = { job, rest, outbound, account: accountOf(deps, integration) };
    return await (job.action === 'delete_customer' ? remove : upsert)(deps, telling);
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus === 503) return 'waits for us';
    deps.logger.error(
      { err: error, job: job._id },
      'a client could not be told to an outside system',
    );
    return OUR_FAULT;
  }
}

/** Of what is switched off only that waits which would never be sent again: that somebody is to be forgotten. */
const isErasure = async (deps: IntegrationDeps, job: LeasedJob): Promise<boolean> =>
  job.action === 'delete_customer' || (await clientOf(deps, job))?.status === 'anonymized';

async function hold(deps: IntegrationDeps, job: LeasedJob): Promise<void> {
  await deps.outboundJobs.hold(job);
  await releaseIfOn(deps, { workspaceId: job.workspace_id, provider: job.provider });
}

async function upsert(deps: IntegrationDeps, telling: Telling): Promise<Settled> {
  const { job, rest, account, outbound } = telling;
  const client = await clientOf(deps, job);
  // Gone meanwhile; the event that says so makes a job of its own.
  if (!client) return NOTHING;
  const externalId = await externalIdOf(deps, telling);
  // An erased client has no ids here any more: what is known came with the event, or of an earlier call.
  if (client.status === 'anonymized' && outbound.needsExternalId)
    return remove(deps, telling, externalId ?? job.external_id);
  const tierId = outbound.tellsTier(account.config) ? await tierOf(deps, job) : null;
  const customer = { client, externalId, tierId };
  const known = digestOf(account, outbound, customer);
  // Much of a client changes that this system does not hear of; a retry by hand is sent all the same.
  if (known !== null && known === job.told) return { ...NOTHING, told: known };
  const told = await outbound.upsertCustomer(rest, account, customer);
  if (told.error !== null || told.externalId === undefined) {
    return { ...told, told: known, ...(externalId === null ? {} : { externalId }) };
  }
  const digest = digestOf(account, outbound, { ...customer, externalId: told.externalId });
  return { ...(await keepIdentity(deps, telling, told)), told: digest };
}

async function clientOf(
  { clients }: IntegrationDeps,
  { workspace_id, client_id }: LeasedJob,
): Promise<Customer['client'] | undefined> {
  const { clients: found } = await clients.GetClients({ workspace_id, ids: [client_id] });
  return found[0];
}

/** Stands for what is sent of a client, and under which address; null where that is nothing to compare with. */
function digestOf({ config }: Account, outbound: Outbound, customer: Customer): string | null {
  const { client, externalId } = customer;
  if (client.status === 'anonymized' || (outbound.needsExternalId && externalId === null))
    return null;
  const said = [config.base_url, externalId, outbound.describe(customer, config)];
  return createHash('sha256').update(JSON.stringify(said)).digest('base64');
}

async function externalIdOf(
  { clients }: IntegrationDeps,
  { job: { workspace_id, client_id, provider }, outbound }: Telling,
): Promise<string | null> {
  if (!outbound.needsExternalId) return null;
  const { identities } = await clients.ListExternalIdentities({ workspace_id, client_id });
  return identities.find((identity) => identity.provider === provider)?.external_id ?? null;
}

async function tierOf(
  { tiers }: IntegrationDeps,
  { workspace_id, client_id }: LeasedJob,
): Promise<string | null> {
  const { placements } = await tiers.GetClientTiers({ workspace_id, client_ids: [client_id] });
  return placements[0]?.tier_id ?? null;
}

/** Remembers under which id the outside system has the client; one that went or was erased meanwhile is taken back there. */
async function keepIdentity(deps: IntegrationDeps, telling: Telling, told: Told): Promise<Told> {
  const { job } = telling;
  const { workspace_id, client_id, provider } = job;
  const external_id = told.externalId!;
  try {
    await deps.clients.PutExternalIdentity({ workspace_id, client_id, provider, external_id });
    return told;
  } catch (error) {
    if (!(error instanceof Refusal) || ![404, 409].includes(error.httpStatus)) throw error;
    const client = await clientOf(deps, job);
    if (!client || client.status === 'anonymized') return remove(deps, telling, external_id);
    return { ...told, error: `the id ${external_id} belongs to another client already` };
  }
}

/** An id that has passed to another client, by a merge, is left alone. */
async function remove(
  deps: IntegrationDeps,
  { job, rest, account, outbound }: Telling,
  externalId = job.external_id,
): Promise<Told> {
  const { workspace_id, client_id: clientId, provider } = job;
  if (outbound.needsExternalId && externalId !== null) {
    const way = { workspace_id, provider, external_id: externalId };
    const { client } = await deps.clients.FindClientBy(way);
    if (client && client.id !== clientId) return NOTHING;
  }
  return outbound.deleteCustomer(rest, account, { clientId, externalId });
}

async function settle(deps: IntegrationDeps, job: LeasedJob, told: Settled): Promise<void> {
  const now = deps.clock.now();
  if (told.error === null) {
    const { externalId, told: digest = null } = told;
    await deps.outboundJobs.complete(job, { externalId, told: digest }, now);
    await deps.integrations.noteSynced(job.workspace_id, job.provider, now);
    return;
  }
  const failures = job.failures + 1;
  const until = retryAt(told, failures, now);
  await deps.outboundJobs.postpone(job, { until, error: told.error, failures, now });
  await deps.integrations.noteError(job.workspace_id, job.provider, told.error);
}

function retryAt({ retryAfterMs }: RestAnswer, failures: number, now: Date): Date | null {
  return nextAttemptAt({ failures, now, retryAfterMs, dice: Math.random() });
}
