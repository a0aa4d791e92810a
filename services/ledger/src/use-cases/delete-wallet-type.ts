import { platform } from '@laurel/errors';
import { createEvent } from '@laurel/events';
import { commitOnce, requireUnchanged, versionOf } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { UNDER_WAY_MS } from '../store/type-uses';

/** Refused for the default, while something in use names the type, and while any wallet of it has an entry or gets its first. */
export async function deleteWalletType(
  deps: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  return commitOnce(deps.connection, async (session) => {
    const type = await deps.walletTypes.find(workspaceId, id);
    if (!type) throw platform.recordNotFound();
    if (type.is_default) throw refusals.defaultStays({ field: 'id' });
    // In this order: an entry that was relayed between both stands in a snapshot.
    const isUsed =
      deps.now(workspaceId) - (type.used_at?.getTime() ?? 0) < UNDER_WAY_MS ||
      (await deps.entries.anyUnrelayedOfType(workspaceId, id)) ||
      (await deps.wallets.anyOfType(workspaceId, id));
    const requireUnnamed = () =>
      deps.references.requireUnreferenced(workspaceId, 'wallet_type', [type.code]);
    if (isUsed) {
      await requireUnnamed();
      throw refusals.walletTypeInUse();
    }
    requireUnchanged(versionOf(type));
    await deps.walletTypes.delete(type, session);
    const data = { id, workspace_id: workspaceId, code: type.code };
    const event = { workspaceId, subject: id, data };
    await deps.outbox.append([createEvent('loyalty.wallet_type_deleted', event)], session);
    await requireUnnamed();
    return {};
  });
}
