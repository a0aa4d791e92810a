import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { walletsOfPerson } from './wallets-of-person';

/**
 * Erases the free text on a person's entries, and on the other side of each transfer that they sent: it is the sender's. The hashes
 * stay: they cover a digest keyed by what is erased too.
 */
export async function scrubClient(
  deps: Deps,
  { workspace_id: workspaceId, client_id: clientId }: ledger.ClientRequest,
): Promise<ledger.ScrubReply> {
  const walletIds = await walletsOfPerson(deps, workspaceId, clientId);
  const received = await deps.entries.eraseReceivedNotes(workspaceId, walletIds);
  const own = await deps.entries.eraseNotes(workspaceId, walletIds);
  return { entries_scrubbed: own + received };
}
