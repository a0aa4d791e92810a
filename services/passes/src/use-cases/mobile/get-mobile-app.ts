import { platform } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { actionsFor, admits } from '../../domain/mobile/mobile-app';
import { orNoBrand } from '../template/or-no-brand';
import { toConfigReply } from './wire';

/**
 * All that the app needs to start: its config with the actions that the role may run, the fields of clients, the
 * wallet types; colour and logo of the brand where the config has none. Nothing at all while there is no enabled config (part 2, Mobile app runtime).
 */
export async function getMobileApp(
  deps: Pick<MobileDeps, 'mobileApps' | 'clients' | 'ledger' | 'identity' | 'publicUrl'>,
  { workspace_id: workspaceId, role_id: roleId }: api.StaffRequest,
): Promise<api.MobileApp> {
  const { config } = await deps.mobileApps.find(workspaceId);
  if (!config?.is_enabled) return { data_model: [], wallet_types: [] };
  if (!admits(config.allowed_role_ids, roleId))
    throw platform.forbidden({ message: 'your role may not use the app' });
  const [{ fields }, { wallet_types }, { primary_color, logo }] = await Promise.all([
    deps.clients.ListFields({ workspace_id: workspaceId }),
    deps.ledger.ListWalletTypes({ workspace_id: workspaceId, active: true }),
    orNoBrand(deps.identity.GetBrand({ workspace_id: workspaceId })),
  ]);
  const app_config = {
    ...(primary_color ? { primary_color } : {}),
    ...(logo ? { logo_url: `${deps.publicUrl}/assets/${logo}?height=160` } : {}),
    ...config.app_config,
  };
  const offered = { ...config, app_config, actions: actionsFor(config, roleId) };
  return { config: toConfigReply(workspaceId, offered), data_model: fields, wallet_types };
}
