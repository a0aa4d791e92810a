import type { Json, JsonObject } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';
import { exportClient as exportPasses } from '../pass/export-client';

/** Everything held on a person here: the passes, and the devices that have them (right of access). */
export async function exportClient(
  deps: WalletDeps,
  request: api.ClientRequest,
): Promise<api.ClientExport> {
  const { workspace_id: workspaceId, client_id: clientId } = request;
  const { data } = await exportPasses(deps, request);
  const passIds = await deps.passes.idsOfClients(workspaceId, [clientId]);
  const registered = await deps.registrations.listOfPasses(workspaceId, passIds);
  const devices = registered.map(({ deviceId, passId, passType, pushToken }) => ({
    pass_id: passId,
    device_library_identifier: deviceId,
    pass_type_identifier: passType,
    push_token: pushToken,
  }));
  return { data: { ...(data as JsonObject), apple_devices: devices as Json } };
}
