import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { walletRef } from './resolve-wallet';
import { decimal } from './wire';

/** How the wallets of many clients stand after their newest entries; wallets without any are left out. */
export async function listWalletHeads(
  { walletTypes, figures }: Pick<Deps, 'walletTypes' | 'figures'>,
  { workspace_id, client_ids }: ledger.WalletHeadsRequest,
): Promise<ledger.WalletHeads> {
  const types = await walletTypes.list(workspace_id);
  const refs = client_ids.flatMap((id) => types.map((type) => walletRef(workspace_id, id, type)));
  const found = await figures.of(
    workspace_id,
    refs.map(({ id }) => id),
  );
  return {
    heads: refs.flatMap((ref) => {
      const head = found.get(ref.id);
      if (!head) return [];
      return [
        {
          client_id: ref.clientId,
          wallet_type_code: ref.walletTypeCode,
          active_balance: decimal(head.figures.active),
          pending_balance: decimal(head.figures.pending),
          total_earned: decimal(head.figures.earned),
          total_spent: decimal(head.figures.spent),
          sequence: head.sequence,
        },
      ];
    }),
  };
}
