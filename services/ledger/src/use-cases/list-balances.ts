import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { EMPTY_WALLET } from '../domain/wallet';
import type { FiguresDocument, WalletRef } from '../store/documents';
import { fromFigures } from '../store/mapping';
import { walletRef } from './resolve-wallet';
import { toWalletReply, toWalletTypeReply } from './wire';

/** Wallets of many clients, as `getBalances` tells them of one, for callers that know the clients. */
export async function listBalances(
  deps: Pick<Deps, 'entries' | 'figures' | 'wallets' | 'walletTypes'>,
  { workspace_id, client_ids }: ledger.BalancesRequest,
): Promise<ledger.BalanceList> {
  const types = (await deps.walletTypes.list(workspace_id)).filter((type) => type.active);
  const refsOf = (client: string) => types.map((type) => walletRef(workspace_id, client, type));
  const clients = client_ids.map((client_id) => ({ client_id, refs: refsOf(client_id) }));
  const figures = await figuresOf(
    deps,
    workspace_id,
    clients.flatMap(({ refs }) => refs),
  );
  const none = fromFigures(EMPTY_WALLET.figures);
  return {
    wallet_types: types.map(toWalletTypeReply),
    clients: clients.map(({ client_id, refs }) => ({
      client_id,
      wallets: refs.map((ref) => toWalletReply(ref, figures.get(ref.id) ?? none)),
    })),
  };
}

/**
 * The relay writes the snapshot of a wallet before it marks an entry, so that a snapshot that is read after no unmarked
 * entry of its wallet was found holds all that had been committed. The log is read of the few others only.
 */
async function figuresOf(
  { entries, figures, wallets }: Pick<Deps, 'entries' | 'figures' | 'wallets'>,
  workspaceId: string,
  refs: readonly WalletRef[],
): Promise<Map<string, FiguresDocument>> {
  if (refs.length === 0) return new Map();
  const ids = refs.map(({ id }) => id);
  const lagging = new Set(await entries.unrelayedAmong(workspaceId, ids));
  const [stored, newer] = await Promise.all([
    wallets.figures(ids.filter((id) => !lagging.has(id))),
    figures.of(workspaceId, [...lagging]),
  ]);
  return new Map([...stored, ...newer].map(([id, found]) => [id, found.figures]));
}
