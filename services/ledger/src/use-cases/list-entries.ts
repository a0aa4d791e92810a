import { platform } from '@laurel/errors';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { WalletRef } from '../store/documents';
import { findPage, findWalletPage, type Page } from '../store/entry-pages';
import type { WalletTypeDocument } from '../store/wallet-types';
import { findWalletType, walletRef } from './resolve-wallet';
import { walletsOfPerson } from './wallets-of-person';
import { toEntryReply } from './wire';

type Request = ledger.ListEntriesRequest;
interface Scope {
  walletIds?: string[];
  walletTypeId?: string | undefined;
}

/** The entries of a workspace, of one client, person or wallet type where asked, newest first. */
export async function listEntries(deps: Deps, request: Request): Promise<ledger.EntryPage> {
  const { workspace_id: workspaceId, client_id: clientId, wallet_type_code: code } = request;
  const named =
    code === undefined ? null : await findWalletType(deps, { workspaceId, walletTypeCode: code });
  if (clientId === undefined)
    return toMessage(await pageOf(deps, request, { walletTypeId: named?._id }), request);
  const page = await pageOf(deps, request, await scopeOf(deps, request, named));
  // A deleted client's entries stay; an id that never had any must at least name a client.
  if (page.total === 0 && (await deps.standings.of(workspaceId, clientId)) === null)
    throw refusals.unknownClient({ field: 'client_id' });
  return toMessage(page, request);
}

/** The wallets of the client, or of all that they are, of one type or all. */
async function scopeOf(
  deps: Deps,
  { workspace_id, client_id, with_merged }: Request,
  named: WalletTypeDocument | null,
): Promise<Scope> {
  if (with_merged) {
    const walletIds = await walletsOfPerson(deps, workspace_id, client_id!);
    return { walletIds, walletTypeId: named?._id };
  }
  const types = named ? [named] : await deps.walletTypes.list(workspace_id);
  return { walletIds: types.map((type) => walletRef(workspace_id, client_id!, type).id) };
}

/** One client's entries of one wallet type, by default the workspace's default one; without one, none. */
export async function listClientEntries(deps: Deps, request: Request): Promise<ledger.EntryPage> {
  const { workspace_id: workspaceId, client_id: clientId } = request;
  const standing = await deps.standings.of(workspaceId, clientId!);
  if (standing === null) throw platform.recordNotFound();
  const walletTypeCode = request.wallet_type_code;
  const type = await findWalletType(deps, { workspaceId, walletTypeCode });
  if (!type) return toMessage({ entries: [], total: 0, nextCursor: null }, request);
  return toMessage(await pageOfWallet(deps, request, type), request);
}

function pageOfWallet(deps: Deps, request: Request, type: WalletTypeDocument): Promise<Page> {
  const ref = walletRef(request.workspace_id, request.client_id!, type);
  const { type: entryType, status, from_date, to_date } = request;
  const filtered = [entryType, status, from_date, to_date].some((value) => value !== undefined);
  return filtered
    ? pageOf(deps, request, { walletIds: [ref.id] })
    : wholeWalletPage(deps, request, ref);
}

async function wholeWalletPage(deps: Deps, request: Request, ref: WalletRef): Promise<Page> {
  const newest = (await deps.figures.of(ref.workspaceId, [ref.id])).get(ref.id);
  const sequence = newest?.sequence ?? 0;
  const wallet = { workspaceId: ref.workspaceId, walletId: ref.id, sequence };
  return findWalletPage(deps.entries, wallet, request);
}

function pageOf(deps: Deps, request: Request, scope: Scope): Promise<Page> {
  const { type, status, from_date: from, to_date: to } = request;
  const filter = {
    workspaceId: request.workspace_id,
    ...scope,
    type,
    status,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
  return findPage(deps, filter, request);
}

function toMessage({ entries, total, nextCursor }: Page, { offset }: Request): ledger.EntryPage {
  return {
    entries: entries.map(toEntryReply),
    total_count: total,
    offset,
    next_cursor: nextCursor,
  };
}
