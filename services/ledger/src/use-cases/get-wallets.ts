import { platform } from '@laurel/errors';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { settledFigures } from '../domain/settle';
import { EMPTY_WALLET } from '../domain/wallet';
import type { FiguresDocument, WalletRef } from '../store/documents';
import { fromFigures } from '../store/mapping';
import { walletRef } from './resolve-wallet';
import { toWalletReply, toWalletTypeReply } from './wire';

/** A client's wallet of every active wallet type, now, as of a moment or as of one to come. A wallet without entries is empty. */
export async function getWallets(
  deps: Deps,
  request: ledger.GetWalletsRequest,
): Promise<ledger.Wallets> {
  const standing = await deps.standings.of(request.workspace_id, request.client_id);
  if (standing === null) throw platform.recordNotFound();
  if (request.at === undefined) return getBalances(deps, request);
  const at = new Date(request.at);
  const isToCome = request.foretells === true && at.getTime() > deps.now(request.workspace_id);
  const figuresOf = isToCome ? figuresBy : figuresAt;
  return walletsWith(deps, request, (refs) =>
    Promise.all(refs.map((ref) => figuresOf(deps, ref, at))),
  );
}

/** The same for callers that know the client. */
export function getBalances(deps: Deps, request: ledger.ClientRequest): Promise<ledger.Wallets> {
  const none = fromFigures(EMPTY_WALLET.figures);
  return walletsWith(deps, request, async (refs) => {
    const ids = refs.map(({ id }) => id);
    const found = await deps.figures.of(request.workspace_id, ids);
    return ids.map((id) => found.get(id)?.figures ?? none);
  });
}

/** A client's wallet of every active wallet type, with figures in the order of the wallets; and the codes of the other types. */
async function walletsWith(
  { walletTypes }: Pick<Deps, 'walletTypes'>,
  { workspace_id, client_id }: ledger.ClientRequest,
  figuresOf: (refs: WalletRef[]) => Promise<FiguresDocument[]>,
): Promise<ledger.Wallets> {
  const all = await walletTypes.list(workspace_id);
  const types = all.filter(({ active }) => active);
  const refs = types.map((type) => walletRef(workspace_id, client_id, type));
  const figures = await figuresOf(refs);
  return {
    wallets: types.map((type, index) => ({
      wallet: toWalletReply(refs[index]!, figures[index]!),
      wallet_type: toWalletTypeReply(type),
    })),
    inactive_codes: all.filter(({ active }) => !active).map(({ code }) => code),
  };
}

/** What the log would say by then if nothing happened but what is due: points that mature, end or are released. */
async function figuresBy({ heads }: Deps, ref: WalletRef, at: Date): Promise<FiguresDocument> {
  const { wallet } = (await heads.proven([ref])).get(ref.id)!;
  return fromFigures(settledFigures(wallet, at.getTime()));
}

/** The figures of a wallet at the end of a moment; none where it had no entry by then. */
export async function figuresAt(
  { entries, wallets }: Pick<Deps, 'entries' | 'wallets'>,
  ref: WalletRef,
  at: Date,
): Promise<FiguresDocument> {
  const near = (await wallets.sequences([ref.id])).get(ref.id) ?? 0;
  const last = await entries.lastBy(ref.workspaceId, ref.id, { near, at });
  return last?.after ?? fromFigures(EMPTY_WALLET.figures);
}
