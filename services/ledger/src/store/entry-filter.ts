import type { EntryDocument } from './documents';

/** Which entries of a workspace a list is of. */
export interface EntryFilter {
  workspaceId: string;
  /** Some wallets only; all of the workspace's when absent. */
  walletIds?: readonly string[] | undefined;
  walletTypeId?: string | undefined;
  type?: string | undefined;
  status?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The filter as the store is asked it. */
export function queryOf({
  workspaceId,
  walletIds,
  walletTypeId,
  type,
  status,
  from,
  to,
}: EntryFilter) {
  const created = { ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) };
  return {
    workspace_id: workspaceId,
    ...(walletIds === undefined ? {} : { wallet_id: { $in: [...walletIds] } }),
    ...(walletTypeId === undefined ? {} : { wallet_type_id: walletTypeId }),
    ...(type === undefined ? {} : { type: type as EntryDocument['type'] }),
    ...(status === undefined ? {} : { status: status as EntryDocument['status'] }),
    ...(from || to ? { created_at: created } : {}),
  };
}
