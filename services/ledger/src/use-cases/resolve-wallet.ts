import type { Deps } from '../deps';
import type { Rules } from '../domain/types';
import { refusals } from '../refusals';
import { walletIdOf } from '../store/chain';
import type { WalletRef } from '../store/documents';
import { rulesOf, type WalletTypeDocument } from '../store/wallet-types';

export interface WalletQuery {
  workspaceId: string;
  clientId: string;
  walletTypeCode?: string | undefined;
  walletTypeId?: string | undefined;
  /** The request's field that names the client. */
  clientField?: string;
}

export interface ResolvedWallet {
  ref: WalletRef;
  rules: Rules;
}

/** Which wallet a request of a service or of the gateway is about. */
export const namedBy = (request: {
  workspace_id: string;
  client_id: string;
  wallet_type_code?: string | undefined;
  wallet_type_id?: string | undefined;
}): WalletQuery => ({
  workspaceId: request.workspace_id,
  clientId: request.client_id,
  walletTypeCode: request.wallet_type_code,
  walletTypeId: request.wallet_type_id,
});

/** The wallet that an operation is about: its client must exist and not be anonymized, its type be active. */
export async function resolveWallet(
  deps: Pick<Deps, 'standings' | 'walletTypes'>,
  query: WalletQuery,
): Promise<ResolvedWallet> {
  const [, type] = await Promise.all([requireClient(deps, query), findWalletType(deps, query)]);
  if (!type) throw refusals.noDefaultWalletType();
  if (!type.active) throw refusals.walletTypeInactive();
  return { ref: walletRef(query.workspaceId, query.clientId, type), rules: rulesOf(type) };
}

/** Refuses what names no client, or one whose points no longer move. */
async function requireClient(
  { standings }: Pick<Deps, 'standings'>,
  {
    workspaceId,
    clientId,
    clientField: field = 'client_id',
  }: Pick<WalletQuery, 'workspaceId' | 'clientId' | 'clientField'>,
): Promise<void> {
  const standing = await standings.of(workspaceId, clientId);
  if (standing === null) throw refusals.unknownClient({ field });
  if (standing === 'anonymized') throw refusals.clientAnonymized({ field });
}

/** The wallet type of a code or id, or else the default; null when none was named and there is no default. */
export async function findWalletType(
  { walletTypes }: Pick<Deps, 'walletTypes'>,
  query: Pick<WalletQuery, 'workspaceId' | 'walletTypeCode' | 'walletTypeId'>,
): Promise<WalletTypeDocument | null> {
  const { walletTypeCode: code, walletTypeId: id } = query;
  const all = await walletTypes.list(query.workspaceId);
  if (code === undefined && id === undefined) return all.find((type) => type.is_default) ?? null;
  const named = all.find((type) => (id === undefined ? type.code === code : type._id === id));
  if (!named) throw refusals.unknownWalletType();
  return named;
}

export function walletRef(
  workspaceId: string,
  clientId: string,
  type: Pick<WalletTypeDocument, '_id' | 'code'>,
): WalletRef {
  return {
    id: walletIdOf(workspaceId, clientId, type._id),
    workspaceId,
    clientId,
    walletTypeId: type._id,
    walletTypeCode: type.code,
  };
}
