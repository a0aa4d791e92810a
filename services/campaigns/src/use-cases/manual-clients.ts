import { type clients as clientsApi, successorsOf } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type Campaign, isAhead } from '../domain/campaign';
import { inBatches } from './batches';

type ReadDeps = Pick<Deps, 'clients'>;
type ListedCampaign = Pick<Campaign, 'workspace_id' | 'status' | 'manual_client_ids'>;

/** The clients with these ids in the order of the ids, batch by batch; unknown ones are left out. */
export async function* clientsById(
  { clients }: ReadDeps,
  workspaceId: string,
  ids: readonly string[],
): AsyncIterable<clientsApi.Client[]> {
  for (const batch of inBatches(ids)) {
    const found = await clients.GetClients({ workspace_id: workspaceId, ids: batch });
    const byId = new Map(found.clients.map((client) => [client.id, client]));
    yield batch.flatMap((id) => byId.get(id) ?? []);
  }
}

/**
 * The clients that a list stands for by now, batch by batch and each once: the list of a campaign that has begun stays as it is,
 * and those who were merged since are in it as whom they became.
 */
export async function* clientsListed(
  deps: ReadDeps,
  workspaceId: string,
  ids: readonly string[],
): AsyncIterable<clientsApi.Client[]> {
  const passedOn = new Set<string>();
  for (const batch of inBatches(ids)) {
    const there = await readAll(deps, workspaceId, batch);
    const missing = batch.filter((id) => !there.has(id));
    const successors = await successorsOf(deps.clients, workspaceId, missing);
    const heirs = await readAll(deps, workspaceId, [...new Set(successors.values())]);
    const listed = batch.flatMap(
      (id) => there.get(id) ?? heirs.get(successors.get(id) ?? '') ?? [],
    );
    const others = listed.filter(({ id }) => !passedOn.has(id));
    const fresh = new Map(others.map((client) => [client.id, client]));
    for (const id of fresh.keys()) passedOn.add(id);
    yield [...fresh.values()];
  }
}

async function readAll(
  deps: ReadDeps,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, clientsApi.Client>> {
  const found = new Map<string, clientsApi.Client>();
  for await (const batch of clientsById(deps, workspaceId, ids))
    for (const client of batch) found.set(client.id, client);
  return found;
}

/** Whom a campaign lists by now: merges and erasures keep the list of one that is still to run, and of no other. */
export async function idsListed(
  deps: ReadDeps,
  campaign: ListedCampaign,
): Promise<readonly string[]> {
  const { workspace_id: workspaceId, manual_client_ids: ids } = campaign;
  if (isAhead(campaign)) return ids;
  const listed: string[] = [];
  for await (const batch of clientsListed(deps, workspaceId, ids))
    listed.push(...batch.filter(({ status }) => status !== 'anonymized').map(({ id }) => id));
  return listed;
}

/** Campaign audiences require status active (part 1, Client status). */
export function isActive({ status }: clientsApi.Client): boolean {
  return status === 'active';
}
