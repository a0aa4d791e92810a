import { unitOfWork } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { phoneKey } from '@laurel/values/contact';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/**
 * Notes that a text message to a client's number lets somebody in, and returns whether it does. A phone is never proven
 * (docs/adr/0014): where an e-mail address is, its reader alone gets in, and what was opened by a number is closed once
 * the client has another one.
 */
export async function noteReachedPhone(
  { connection, clients, addressProofs }: Pick<Deps, 'connection' | 'clients' | 'addressProofs'>,
  { workspace_id: workspaceId, client_id: clientId, phone }: api.ReachedPhone,
): Promise<api.PhoneStanding> {
  return unitOfWork(connection, async (session) => {
    const client = await clients.find(workspaceId, clientId, session);
    if (!client) throw refusals.clientNotFound();
    const reached = phoneKey(phone);
    if (reached === null || reached !== phoneKey(client.phone)) return { opens: false };
    const proof = await addressProofs.find(workspaceId, clientId, session);
    // A proof of somebody without an address is from before text messages were none.
    if (proof?.provenAt && client.email !== null) return { opens: false };
    // A correction at the same moment would sign no one out.
    await clients.hold(client, session);
    await addressProofs.noteReached(workspaceId, clientId, session);
    return { opens: true };
  });
}
