import { createEvent } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/** Stamped on clients that a form has made. */
const FORM_SOURCE = 'enrollment';

/**
 * Notes that somebody has just shown to read what is sent to a client, and returns since when that is known: the first
 * proof of an address counts, since what was handed out before it may be in other hands (docs/adr/0014). A repeat is answered
 * as the first proof was for as long as that holds, but for what readers of the release before may hear but once.
 */
export async function noteAddressProof(
  {
    connection,
    clients,
    addressProofs,
    outbox,
    clock,
  }: Pick<Deps, 'connection' | 'clients' | 'addressProofs' | 'outbox' | 'clock'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.AddressProof> {
  return unitOfWork(connection, async (session) => {
    const client = await clients.find(workspaceId, clientId, session);
    if (!client) throw refusals.clientNotFound();
    const cameByForm = client.source === FORM_SOURCE;
    const known = await addressProofs.find(workspaceId, clientId, session);
    if (known?.provenAt) {
      const reached_before = known.wasReached;
      return { proven_at: known.provenAt.getTime(), came_by_form: cameByForm, reached_before };
    }
    const now = clock.now();
    const wasReached = await addressProofs.wasReached(workspaceId, clientId, session);
    await addressProofs.note({ workspaceId, clientId, now, wasReached }, session);
    const before = { came_by_form: cameByForm, ...(wasReached ? { was_reached: true } : {}) };
    const data = { client_id: clientId, ...before };
    const subject = clientId;
    const proven = createEvent('clients.address_proven', { workspaceId, subject, data, time: now });
    await outbox.append([proven], session);
    return { proven_at: now.getTime(), ...before, reached_before: wasReached };
  });
}
