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
  return balancesAt(deps, request, (ref) =>
    isToCome ? figuresBy(deps, ref, at) : figuresAt(deps, ref, at),
  );
}

/** The same for callers that know the client. */
export async function getBalances(
  deps: Deps,
  { workspace_id, client_id }: ledger.ClientRequest,
): Promise<ledger.Wallets> {
  const { types, inactive_codes } = await typesOf(deps, workspace_id);
  const refs = types.map((type) => walletRef(workspace_id, client_id, type));
  const found = await deps.figures.of(
    workspace_id,
    refs.map(({ id }) => id),
  );
  const none = fromFigures(EMPTY_WALLET.figures);
  return {
    wallets: types.map((type, index) => ({
      wallet: toWalletReply(refs[index]!, found.get(refs[index]!.id)?.figures ?? none),
      wallet_type: toWalletTypeReply(type),
    })),
    inactive_codes,
  };
}

/** The wallet types that are active, and the codes of the others. */
async function typesOf({ walletTypes }: Pick<Deps, 'walletTypes'>, workspaceId: string) {
  const all = await walletTypes.list(workspaceId);
  const inactive_codes = all.filter(({ active }) => !active).map(({ code }) => code);
  return { types: all.filter(({ active }) => active), inactive_codes };
}

async function balancesAt(
  deps: Deps,
  { workspace_id, client_id }: ledger.GetWalletsRequest,
  figuresOf: (ref: WalletRef) => Promise<FiguresDocument>,
): Promise<ledger.Wallets> {
  const { types, inactive_codes } = await typesOf(deps, workspace_id);
  const refs = types.map((type) => walletRef(workspace_id, client_id, type));
  const figures = await Promise.all(refs.map(figuresOf));
  return {
    wallets: types.map((type, index) => ({
      wallet: toWalletReply(refs[index]!, figures[index]!),
      wallet_type: toWalletTypeReply(type),
    })),
    inactive_codes,
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
