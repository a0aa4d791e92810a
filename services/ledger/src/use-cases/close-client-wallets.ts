import { newId } from '@laurel/lifecycle';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { close } from '../domain/close';
import type { EntryDocument, WalletRef } from '../store/documents';
import { toEntryMessage } from '../store/messages';
import { walletRef } from './resolve-wallet';

/** Takes the wallets of a deleted client to zero; their entries stay. A repeat finds nothing left to do. */
export async function closeClientWallets(
  deps: Deps,
  { workspace_id: workspaceId, client_id: clientId }: ledger.ClientRequest,
): Promise<ledger.CloseClientWalletsReply> {
  const types = await deps.walletTypes.list(workspaceId);
  const closed = await Promise.all(
    types.map((type) => closeWallet(deps, walletRef(workspaceId, clientId, type))),
  );
  return { entries: closed.flat().map(toEntryMessage) };
}

/** Each step is decided on the wallet as it is, so that a close cut short goes on where it stopped. */
async function closeWallet({ log }: Deps, wallet: WalletRef): Promise<EntryDocument[]> {
  const written: EntryDocument[] = [];
  for (;;) {
    const operationId = `close:${wallet.id}:${newId()}`;
    const outcome = await log.perform({ wallet, operationId, decide: close });
    if (!outcome) return written;
    written.push(outcome.entry);
  }
}
