import { Refusal } from '@laurel/errors';
import type { Deps } from '../deps';
import type { EntryDocument, WalletRef } from '../store/documents';
import { walletOf } from '../store/mapping';

type Needs = Pick<Deps, 'heads' | 'entries'>;
/** `way` are the wallets that it has lived in, `home` last. */
type Work<T> = (home: WalletRef, way: readonly string[]) => Promise<T>;

/**
 * Does something to the wallet in which what an entry made now lives: the entry's own, or the one that
 * took it over when its client was merged.
 */
export const atHome = <T>(deps: Needs, entry: EntryDocument, work: Work<T>): Promise<T> =>
  whereItWent(deps, walletOf(entry), work);

/**
 * Does something to a wallet, or to the one that took it over when its client was merged, however often. A no from a wallet
 * that has moved on in the meantime is asked again where it went.
 */
export async function whereItWent<T>(deps: Needs, wallet: WalletRef, work: Work<T>): Promise<T> {
  const known = await wayOf(deps, wallet, false);
  try {
    return await work(known.home, known.way);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { home, way } = await wayOf(deps, wallet, true);
    if (home.id === known.home.id) throw error;
    return work(home, way);
  }
}

/** Whether a wallet said no because its client was merged or is gone. */
export const saysClosed = (error: unknown): boolean =>
  error instanceof Refusal && error.problems[0]?.extensions?.reason === 'wallet_closed';

async function wayOf(
  deps: Needs,
  wallet: WalletRef,
  prove: boolean,
): Promise<{ home: WalletRef; way: string[] }> {
  const way: string[] = [];
  let ref = wallet;
  for (;;) {
    const heads = prove ? await deps.heads.proven([ref]) : await deps.heads.likely([ref]);
    const { wallet: state } = heads.get(ref.id)!;
    way.push(ref.id);
    if (!state.closing?.successor) return { home: ref, way };
    const last = await deps.entries.findAt(ref.workspaceId, ref.id, state.sequence);
    if (!last?.counterpart) throw new Error(`wallet ${ref.id} was merged into nothing`);
    ref = { ...ref, id: last.counterpart.wallet_id, clientId: last.counterpart.client_id };
  }
}
