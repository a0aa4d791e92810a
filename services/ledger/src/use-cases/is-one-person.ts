import type { Deps } from '../deps';
import type { EntryDocument } from '../store/documents';
import { walletsOfPerson } from './wallets-of-person';

/**
 * Whether a client and the one whom an earn was given to are one person by now, having been merged. The wallets tell it, or
 * else the clients service: one that never had points leaves no trace in them.
 */
export async function isOnePerson(
  deps: Pick<Deps, 'walletTypes' | 'entries' | 'standings'>,
  clientId: string,
  { workspace_id: workspaceId, client_id: earnedBy, wallet_id: walletId }: EntryDocument,
): Promise<boolean> {
  if (clientId === earnedBy) return true;
  const theirs = await walletsOfPerson(deps, workspaceId, clientId);
  if (theirs.includes(walletId)) return true;
  const own = await walletsOfPerson(deps, workspaceId, earnedBy);
  if (theirs.some((wallet) => own.includes(wallet))) return true;
  const now = await deps.standings.successors(workspaceId, [clientId, earnedBy]);
  return (now.get(clientId) ?? clientId) === (now.get(earnedBy) ?? earnedBy);
}
