import type { Deps } from '../deps';
import { whereItWent } from './at-home';
import { walletRef } from './resolve-wallet';

/** Whom a client has become by merges, as far as its wallets tell: one that never had points leaves no trace in them. */
export async function whoIsNow(
  deps: Pick<Deps, 'entries' | 'heads' | 'walletTypes'>,
  workspaceId: string,
  clientId: string,
): Promise<string> {
  for (const type of await deps.walletTypes.list(workspaceId)) {
    const wallet = walletRef(workspaceId, clientId, type);
    const now = await whereItWent(deps, wallet, async (home) => home.clientId);
    if (now !== clientId) return now;
  }
  return clientId;
}
