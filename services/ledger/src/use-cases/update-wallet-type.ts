import { platform } from '@laurel/errors';
import { commitOnce, etagOf, requireUnchanged, versionOf } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import { toUnits } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { WalletTypeDocument, WalletTypePatch } from '../store/wallet-types';
import { walletTypeEvent } from './create-wallet-type';
import { toWalletTypeReply } from './wire';

/**
 * Setting is_default moves it here; the default can neither be deactivated nor step down by itself. What is switched on while the
 * workspace has none becomes it, as the first one does that is created (part 3, section 4.1).
 */
export async function updateWalletType(
  deps: Deps,
  request: ledger.UpdateWalletTypeRequest,
): Promise<ledger.WalletType> {
  const { workspace_id: workspaceId, id } = request;
  return commitOnce(deps.connection, async (session) => {
    const before = await deps.walletTypes.find(workspaceId, id);
    if (!before) throw platform.recordNotFound();
    refuseWithoutDefault(before, request);
    requireUnchanged(versionOf(before));
    const patch = patchOf(request, new Date(deps.now()));
    if (request.active && !(await deps.walletTypes.hasDefault(workspaceId, session)))
      patch.is_default = true;
    if (request.is_default && !before.is_default)
      await deps.walletTypes.clearDefault(workspaceId, patch.date_updated!, session);
    const after = await deps.walletTypes.update(before, patch, session);
    if (after.is_default && !after.active) throw refusals.defaultStays({ field: 'active' });
    const updated = walletTypeEvent('loyalty.wallet_type_updated', after);
    await deps.outbox.append([updated], session);
    return { ...toWalletTypeReply(after), etag: etagOf(versionOf(after)) };
  });
}

function refuseWithoutDefault(
  before: WalletTypeDocument,
  request: ledger.UpdateWalletTypeRequest,
): void {
  if (before.is_default && request.is_default === false)
    throw refusals.defaultStays({ field: 'is_default' });
  const isDefault = request.is_default ?? before.is_default;
  if (isDefault && !(request.active ?? before.active))
    throw refusals.defaultStays({ field: 'active' });
}

function patchOf(request: ledger.UpdateWalletTypeRequest, at: Date): WalletTypePatch {
  const { workspace_id, id, max_balance: maxBalance, ...fields } = request;
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const patch: WalletTypePatch = { ...Object.fromEntries(given), date_updated: at };
  if (maxBalance !== undefined)
    patch.max_balance = maxBalance === null ? null : toUnits(maxBalance);
  return patch;
}
