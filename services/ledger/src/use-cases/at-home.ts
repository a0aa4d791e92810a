import { Refusal } from '@laurel/errors';
import type { Deps } from '../deps';
import type { EntryDocument, WalletRef } from '../store/documents';

type Needs = Pick<Deps, 'heads' | 'entries'>;

/**
 * Does something to the wallet in which what an entry made now lives: the entry's own, or the one that
 * took it over when its client was merged, however often. A no from a wallet that has moved on in
 * the meantime is asked again where it went. `way` are the wallets it has lived in, that one last.
 */
export async function atHome<T>(
  deps: Needs,
  entry: EntryDocument,
  work: (wallet: WalletRef, way: readonly string[]) => Promise<T>,
): Promise<T> {
  const known = await wayOf(deps, entry, false);
  try {
    return await work(known.home, known.way);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { home, way } = await wayOf(deps, entry, true);
    if (home.id === known.home.id) throw error;
    return work(home, way);
  }
}

async function wayOf(
  deps: Needs,
  entry: EntryDocument,
  prove: boolean,
): Promise<{ home: WalletRef; way: string[] }> {
  const way: string[] = [];
  let ref: WalletRef = {
    id: entry.wallet_id,
    workspaceId: entry.workspace_id,
    clientId: entry.client_id,
    walletTypeId: entry.wallet_type_id,
    walletTypeCode: entry.wallet_type_code,
  };
  for (;;) {
    const heads = prove ? await deps.heads.proven([ref]) : await deps.heads.likely([ref]);
    const { wallet } = heads.get(ref.id)!;
    way.push(ref.id);
    if (!wallet.closing?.successor) return { home: ref, way };
    const last = await deps.entries.findAt(ref.workspaceId, ref.id, wallet.sequence);
    if (!last?.counterpart) throw new Error(`wallet ${ref.id} was merged into nothing`);
    ref = { ...ref, id: last.counterpart.wallet_id, clientId: last.counterpart.client_id };
  }
}
