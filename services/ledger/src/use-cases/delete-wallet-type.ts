import { platform } from '@laurel/errors';
import { createEvent } from '@laurel/events';
import { commitOnce } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/** Refused for the default, while any wallet of the type has an entry, and while something in use names it. */
export async function deleteWalletType(
  deps: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  return commitOnce(deps.connection, async (session) => {
    const type = await deps.walletTypes.find(workspaceId, id);
    if (!type) throw platform.recordNotFound();
    if (type.is_default) throw refusals.defaultStays('id');
    const used = await Promise.all([
      deps.wallets.anyOfType(workspaceId, id),
      deps.entries.anyUnrelayedOfType(workspaceId, id),
    ]);
    if (used.includes(true)) throw refusals.walletTypeInUse();
    const deleted = await deps.walletTypes.delete(workspaceId, id, session);
    if (!deleted) throw platform.recordNotFound();
    const data = { id, workspace_id: workspaceId, code: type.code };
    const event = { workspaceId, subject: id, data };
    await deps.outbox.append([createEvent('loyalty.wallet_type_deleted', event)], session);
    await deps.references.requireUnreferenced(workspaceId, 'wallet_type', [type.code]);
    return {};
  });
}
