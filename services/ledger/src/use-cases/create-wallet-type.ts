import { createEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import { toUnits } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { WalletTypeDocument } from '../store/wallet-types';
import { toWalletTypeReply } from './wire';

/**
 * All of them are read and summed wherever none is named, and each client has a wallet of each. Several that are made at once may
 * be a few more: a few cost nothing.
 */
const TYPES_MAX = 100;

/** An active wallet type becomes the default when the workspace has none; else only when it asks to. */
export async function createWalletType(
  deps: Deps,
  request: ledger.CreateWalletTypeRequest,
): Promise<ledger.WalletType> {
  const { workspace_id: workspaceId } = request;
  if (request.is_default && request.active === false)
    throw refusals.defaultStays({ field: 'active' });
  return commitOnce(deps.connection, async (session) => {
    if (await deps.walletTypes.hasCode(workspaceId, request.code)) throw refusals.codeTaken();
    if ((await deps.walletTypes.count(workspaceId)) >= TYPES_MAX)
      throw refusals.tooManyWalletTypes();
    const takesOver =
      request.active !== false && !(await deps.walletTypes.hasDefault(workspaceId, session));
    const document = documentOf(deps, request, takesOver);
    if (document.is_default)
      await deps.walletTypes.clearDefault(workspaceId, document.date_created, session);
    if (!(await deps.walletTypes.insert(document, session))) throw refusals.codeTaken();
    const created = walletTypeEvent('loyalty.wallet_type_created', document);
    await deps.outbox.append([created], session);
    return toWalletTypeReply(document);
  });
}

function documentOf(
  { now }: Deps,
  request: ledger.CreateWalletTypeRequest,
  takesOver: boolean,
): WalletTypeDocument {
  const at = new Date(now());
  const { max_balance: maxBalance = null } = request;
  return {
    _id: newId(),
    workspace_id: request.workspace_id,
    code: request.code,
    name: request.name,
    is_default: takesOver || request.is_default === true,
    active: request.active ?? true,
    unit_singular_name: request.unit_singular_name ?? null,
    unit_plural_name: request.unit_plural_name ?? null,
    pending_days: request.pending_days ?? null,
    expiry_days: request.expiry_days ?? null,
    max_balance: maxBalance === null ? null : toUnits(maxBalance),
    allow_negative_balance: request.allow_negative_balance ?? false,
    date_created: at,
    date_updated: at,
  };
}

/** What other services hear of a wallet type. */
export function walletTypeEvent(
  type: 'loyalty.wallet_type_created' | 'loyalty.wallet_type_updated',
  document: WalletTypeDocument,
) {
  const { _id: id, workspace_id, code, name, is_default, active } = document;
  const { unit_singular_name, unit_plural_name } = document;
  const data = { id, workspace_id, code, name, is_default, active };
  return createEvent(type, {
    workspaceId: workspace_id,
    subject: id,
    data: { ...data, unit_singular_name, unit_plural_name },
  });
}
