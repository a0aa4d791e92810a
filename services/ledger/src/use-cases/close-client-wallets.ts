import { newId } from '@laurel/lifecycle';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type ClosingReason, close } from '../domain/close';
import type { EntryDocument, WalletRef } from '../store/documents';
import { walletRef } from './resolve-wallet';
import { toEntryReply } from './wire';

/** Takes the wallets of a deleted or anonymized client to zero; their entries stay. A repeat finds nothing left to do. */
export async function closeClientWallets(
  deps: Deps,
  { workspace_id: workspaceId, client_id: clientId, anonymized }: ledger.CloseClientWalletsRequest,
): Promise<ledger.CloseClientWalletsReply> {
  const reason = anonymized ? 'client_anonymized' : 'client_deleted';
  const types = await deps.walletTypes.list(workspaceId);
  const closed = await Promise.all(
    types.map((type) => closeWallet(deps, walletRef(workspaceId, clientId, type), reason)),
  );
  return { entries: closed.flat().map(toEntryReply) };
}

/** Each step is decided on the wallet as it is, so that a close cut short goes on where it stopped. */
export async function closeWallet(
  { log }: Deps,
  wallet: WalletRef,
  reason: ClosingReason,
): Promise<EntryDocument[]> {
  const written: EntryDocument[] = [];
  for (;;) {
    const operationId = `close:${wallet.id}:${newId()}`;
    const outcome = await log.perform({
      wallet,
      operationId,
      decide: (state) => close(state, reason),
    });
    if (!outcome) return written;
    written.push(outcome.entry);
  }
}
