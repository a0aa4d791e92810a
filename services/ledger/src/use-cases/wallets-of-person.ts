import type { Deps } from '../deps';
import { walletRef } from './resolve-wallet';

/**
 * The ids of every wallet that ever held what is now a client's: its own, and those of the clients that
 * were merged into it. One question for each generation of merges, however many clients one took over.
 */
export async function walletsOfPerson(
  { walletTypes, entries }: Pick<Deps, 'walletTypes' | 'entries'>,
  workspaceId: string,
  clientId: string,
): Promise<string[]> {
  const types = await walletTypes.list(workspaceId);
  const walletsOf = (client: string) =>
    types.map((type) => walletRef(workspaceId, client, type).id);
  const clients = new Set([clientId]);
  const walletIds: string[] = [];
  for (let generation = [clientId]; generation.length > 0; ) {
    const own = generation.flatMap(walletsOf);
    walletIds.push(...own);
    generation = [];
    for (const { counterpart } of await entries.findMergesInto(workspaceId, own)) {
      if (!counterpart || clients.has(counterpart.client_id)) continue;
      clients.add(counterpart.client_id);
      generation.push(counterpart.client_id);
    }
  }
  return walletIds;
}
