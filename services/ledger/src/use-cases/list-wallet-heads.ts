import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { fromFigures } from '../store/mapping';
import { walletRef } from './resolve-wallet';
import { decimal } from './wire';

/** How the wallets of many clients stand after their newest entries; wallets without any are left out. */
export async function listWalletHeads(
  { walletTypes, heads }: Pick<Deps, 'walletTypes' | 'heads'>,
  { workspace_id, client_ids }: ledger.WalletHeadsRequest,
): Promise<ledger.WalletHeads> {
  const types = await walletTypes.list(workspace_id);
  const refs = client_ids.flatMap((id) => types.map((type) => walletRef(workspace_id, id, type)));
  const found = await heads.proven(refs);
  const used = [...found.values()].filter(({ wallet }) => wallet.sequence > 0);
  return {
    heads: used.map(({ ref, wallet }) => {
      const figures = fromFigures(wallet.figures);
      return {
        client_id: ref.clientId,
        wallet_type_code: ref.walletTypeCode,
        active_balance: decimal(figures.active),
        pending_balance: decimal(figures.pending),
        total_earned: decimal(figures.earned),
        total_spent: decimal(figures.spent),
        sequence: wallet.sequence,
      };
    }),
  };
}
