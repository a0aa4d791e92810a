import type { common } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import type { PointsConfig } from './schema/action-config';

/** The enabled actions of the staff app that move points of one of these wallet types; asked before those are deleted (docs/adr/0015). */
export async function findReferences(
  { mobileApps }: Pick<MobileDeps, 'mobileApps'>,
  { workspace_id: workspaceId, kind, ids }: common.ReferencesRequest,
): Promise<common.ReferenceList> {
  const config = kind === 'wallet_type' ? (await mobileApps.find(workspaceId)).config : null;
  const references = (config?.actions ?? [])
    .filter(
      ({ is_enabled, action_config }) => is_enabled && namesAny(action_config as PointsConfig, ids),
    )
    .map(({ id, name }) => ({ type: 'mobile_app_action', id, name }));
  return { references };
}

function namesAny(
  { wallet_type_codes: codes = [] }: PointsConfig,
  walletTypes: readonly string[],
): boolean {
  return codes.some((code) => walletTypes.includes(code));
}
