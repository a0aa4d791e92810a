import { UUID_PATTERN } from '@laurel/contract';
import { Refusal } from '@laurel/errors';
import { successorOf } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import type { ReadEvent } from '../../domain/read-event';
import type { IntegrationName } from '../integration/require-integration';
import { type FoundClient, NobodyFound } from './record-read-events';

type FindDeps = Pick<IntegrationDeps, 'clients' | 'passes'>;
type Hint = ReadEvent['client'][number];

/** Whom an event is about: the first hint that names somebody. Throws NobodyFound. */
export async function findEventClient(
  deps: FindDeps,
  integration: IntegrationName,
  hints: ReadEvent['client'],
): Promise<FoundClient> {
  for (const hint of hints) {
    const found = await findBy(deps, integration, hint);
    if (found) return found;
  }
  throw new NobodyFound(hints);
}

async function findBy(
  { clients, passes }: FindDeps,
  { workspaceId, provider }: IntegrationName,
  { by, value }: Hint,
): Promise<FoundClient | null> {
  const workspace = { workspace_id: workspaceId };
  switch (by) {
    case 'client_id':
      return UUID_PATTERN.test(value) ? findById(clients, workspaceId, value.toLowerCase()) : null;
    case 'barcode_value':
      return findByBarcode(passes, workspaceId, value);
    default: {
      const way = by === 'external_id' ? { provider, external_id: value } : { [by]: value };
      const { client } = await clients.FindClientBy({ ...workspace, ...way });
      return client ? { clientId: client.id } : null;
    }
  }
}

/** Who was merged is who they are now, as for all that comes under an id (part 4, section 5). */
async function findById(
  clients: FindDeps['clients'],
  workspaceId: string,
  id: string,
): Promise<FoundClient | null> {
  const { clients: found } = await clients.GetClients({ workspace_id: workspaceId, ids: [id] });
  const clientId = found[0]?.id ?? (await successorOf(clients, workspaceId, id));
  return clientId === null ? null : { clientId };
}

/** A pass may have no owner; the event is then about the pass alone. */
async function findByBarcode(
  passes: FindDeps['passes'],
  workspaceId: string,
  barcode: string,
): Promise<FoundClient | null> {
  try {
    const request = { workspace_id: workspaceId, barcode_value: barcode };
    const { id, client_id } = await passes.FindPassByBarcode(request);
    return { clientId: client_id ?? null, passId: id };
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus === 404) return null;
    throw error;
  }
}
