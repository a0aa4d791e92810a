import { invalidField, platform, Refusal } from '@laurel/errors';
import { createEvent, type KnownElsewhere } from '@laurel/events';
import { commitOnce, type Merge, type Session } from '@laurel/mongo';
import { type clients as api, orBeforeUpgrade } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type Client, changedFieldName, type FieldChange } from '../domain/client';
import { mergeClients as mergeRecords } from '../domain/merge';
import { refusals } from '../refusals';
import { addressProofs } from '../store/address-proofs';
import { identities } from '../store/identities';
import { toKnownElsewhere, toNews } from '../store/mapping';
import type { Process } from '../store/processes';
import { finishProcess } from './finish-process';
import { getClient } from './get-client';
import { openProcess } from './open-process';
import { recordFieldChanges } from './record-field-changes';
import { resolveClients } from './resolve-clients';

/**
 * Makes the source part of the target. The record moves in one transaction; trail, passes and wallets
 * follow step by step before the answer. When a step cannot be done the answer is 503 and the sweeper
 * goes on; repeating the request waits for the same merge, or takes it up.
 */
export async function mergeClients(
  deps: Deps,
  request: api.MergeClientsRequest,
): Promise<api.Client> {
  const { workspace_id: workspaceId, source_client_id: sourceId } = request;
  const { target_client_id: targetId } = request;
  if (sourceId === targetId) {
    throw invalidField('target_client_id', 'a client cannot be merged into itself');
  }
  const process = (await takeUp(deps, request)) ?? (await beginOrTakeUp(deps, request));
  try {
    await finishProcess(deps, process);
  } catch {
    throw platform.serviceUnavailable({
      message: 'the merge has begun and is being finished in the background',
      retryAfterSeconds: 2,
    });
  }
  // The target may have been merged into a third meanwhile.
  const people = await resolveClients(deps, { workspaceId }, [targetId]);
  const id = people.get(targetId)?.clientId ?? targetId;
  return getClient(deps, { workspace_id: workspaceId, id });
}

/** A merge that another request has begun is this one's too: its repeat is answered with it, when it is long over. */
async function takeUp(deps: Deps, request: api.MergeClientsRequest): Promise<Process | null> {
  const { workspace_id, source_client_id, target_client_id } = request;
  const begun = await deps.processes.findUnfinished(workspace_id, 'merge', source_client_id);
  if (begun?.targetClientId !== target_client_id) return null;
  return commitOnce(deps.connection, async () => begun);
}

/** A refusal may come of the same merge, which was asked for twice at once and has taken the source away since. */
async function beginOrTakeUp(deps: Deps, request: api.MergeClientsRequest): Promise<Process> {
  try {
    return await begin(deps, request);
  } catch (error) {
    const begun = error instanceof Refusal ? await takeUp(deps, request) : null;
    if (!begun) throw error;
    return begun;
  }
}

/** Nothing is taken over of a merge that the ledger could not finish. */
async function begin(deps: Deps, request: api.MergeClientsRequest): Promise<Process> {
  try {
    await orBeforeUpgrade(deps.ledger.QuoteMerge(request), () => ({}));
  } catch (error) {
    throw isOutOfRange(error) ? refusals.mergeOutOfRange({ field: 'source_client_id' }) : error;
  }
  return commitOnce(deps.connection, (session) => takeOver(deps, request, session));
}

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Refusal && error.problems[0]?.extensions?.reason === 'merge_out_of_range';

/** The part of the merge that is this service's own. */
async function takeOver(
  deps: Deps,
  request: api.MergeClientsRequest,
  session: Session,
): Promise<Process> {
  const { workspace_id: workspaceId, source_client_id: clientId } = request;
  const now = deps.clock.now();
  const source = await requireClient(deps, { request, field: 'source_client_id' }, session);
  const target = await requireClient(deps, { request, field: 'target_client_id' }, session);
  const { client, changes } = mergeRecords(target, source);
  // The source goes first: its e-mail address may become the target's.
  await deps.clients.remove(source, session);
  const written = await deps.clients.replace(client, session);
  const merge = { workspaceId, source: clientId, target: target.id };
  const left = await leftBehind(deps, merge, session);
  await identities.mergePerson(deps.connection, merge, session);
  // At once, as a proof of the target's address may be the next that happens.
  await addressProofs.mergePerson(deps.connection, merge, session);
  const tombstone = { clientId, workspaceId, mergedInto: target.id, at: now };
  await deps.tombstones.put({ ...tombstone, kind: 'merged' }, session);
  await recordFieldChanges(deps, { client, changes, source: 'merge', now }, session);
  await deps.outbox.append(eventsOf(written, { merge, changes, left }), session);
  const order = { workspaceId, kind: 'merge' as const, clientId, targetClientId: target.id };
  return openProcess(deps, order, session);
}

/** Which of the two clients that a merge names. */
interface Named {
  request: api.MergeClientsRequest;
  field: 'source_client_id' | 'target_client_id';
}

async function requireClient(
  { clients }: Deps,
  { request, field }: Named,
  session: Session,
): Promise<Client> {
  const client = await clients.find(request.workspace_id, request[field], session);
  if (!client) throw refusals.unknownClient({ field });
  if (client.status === 'anonymized') throw refusals.clientAnonymized({ field });
  return client;
}

/** The source's ids at systems that know the target by another: these forget the source by them. */
async function leftBehind(
  deps: Deps,
  { workspaceId, source, target }: Merge,
  session: Session,
): Promise<KnownElsewhere[]> {
  const own = await deps.identities.ofClient(workspaceId, source, session);
  const kept = await deps.identities.ofClient(workspaceId, target, session);
  const providers = new Set(kept.map(({ provider }) => provider));
  return toKnownElsewhere(own.filter(({ provider }) => providers.has(provider)));
}

interface Taken {
  merge: Merge;
  changes: readonly FieldChange[];
  left: KnownElsewhere[];
}

function eventsOf(client: Client, { merge, changes, left }: Taken) {
  const { workspaceId, source, target } = merge;
  const merged = createEvent('clients.merged', {
    workspaceId,
    subject: target,
    data: { source_client_id: source, target_client_id: target, external_identities: left },
  });
  if (changes.length === 0) return [merged];
  const data = { ...toNews(client), changed_fields: changes.map(changedFieldName) };
  return [merged, createEvent('clients.updated', { workspaceId, subject: target, data })];
}
