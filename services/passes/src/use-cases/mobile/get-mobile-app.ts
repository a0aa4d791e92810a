import { platform } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { actionsFor, admits } from '../../domain/mobile/mobile-app';
import { toConfigReply } from './replies';

/**
 * All that the app needs to start: its config with the actions that the role may run, the fields of clients, the
 * wallet types. Nothing at all while there is no enabled config (part 2, Mobile app runtime).
 */
export async function getMobileApp(
  deps: Pick<MobileDeps, 'mobileApps' | 'clients' | 'ledger'>,
  { workspace_id: workspaceId, role_id: roleId }: api.StaffRequest,
): Promise<api.MobileApp> {
  const { config } = await deps.mobileApps.find(workspaceId);
  if (!config?.is_enabled) return { data_model: [], wallet_types: [] };
  if (!admits(config.allowed_role_ids, roleId))
    throw platform.forbidden({ message: 'your role may not use the app' });
  const [{ fields }, { wallet_types }] = await Promise.all([
    deps.clients.ListFields({ workspace_id: workspaceId }),
    deps.ledger.ListWalletTypes({ workspace_id: workspaceId, active: true }),
  ]);
  const offered = { ...config, actions: actionsFor(config, roleId) };
  return { config: toConfigReply(workspaceId, offered), data_model: fields, wallet_types };
}
