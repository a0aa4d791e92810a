import type { Deps } from '../deps';
import { walletRef } from './resolve-wallet';

/**
 * The ids of every wallet that ever held what is now a client's: its own, and those of the clients that
 * were merged into it.
 */
export async function walletsOfPerson(
  { walletTypes, entries }: Pick<Deps, 'walletTypes' | 'entries'>,
  workspaceId: string,
  clientId: string,
): Promise<string[]> {
  const types = await walletTypes.list(workspaceId);
  const clients = new Set<string>();
  const open = [clientId];
  const walletIds: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (clients.has(next)) continue;
    clients.add(next);
    const own = types.map((type) => walletRef(workspaceId, next!, type).id);
    walletIds.push(...own);
    for (const { counterpart } of await entries.findMergesInto(workspaceId, own))
      if (counterpart) open.push(counterpart.client_id);
  }
  return walletIds;
}
