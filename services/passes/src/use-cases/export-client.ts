import type { Json } from '@laurel/errors';
import { personExport, shown } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import { collections } from '../collections';
import type { PassDeps, WalletDeps } from '../deps';
import { staffOperations } from '../store/staff-operations';
import { listPassesOfClients } from './pass/read-passes';

type ExportDeps = Pick<PassDeps, 'connection' | 'passes' | 'links' | 'clients'> &
  Pick<WalletDeps, 'registrations'>;

const exportRows = personExport<Pick<ExportDeps, 'connection'>>(collections, [
  shown(staffOperations, (_deps, rows) => ({
    at_the_till: rows.map(({ _id, action_name, action_type, amount, currency, at }) => ({
      id: _id,
      action_name,
      action_type,
      amount,
      currency,
      at: at.toISOString(),
    })),
  })),
]);

/** Everything held on a person here: passes but for their links, the devices that have them, and what staff did (right of access). */
export async function exportClient(
  deps: ExportDeps,
  request: api.ClientRequest,
): Promise<api.ClientExport> {
  const { workspace_id, client_id } = request;
  const [{ passes }, devices, { data }] = await Promise.all([
    listPassesOfClients(deps, { workspace_id, client_ids: [client_id] }),
    devicesOf(deps, request),
    exportRows(deps, request),
  ]);
  const held = passes.map(withoutLinks) as unknown as Json;
  return { data: { passes: held, apple_devices: devices, ...data } };
}

/** A link opens the card, and the card the portal: who may read what is held on people may not act as they do (docs/adr/0041). */
function withoutLinks({
  apple_pass_url: _applePass,
  apple_qrcode_url: _appleCode,
  google_pass_url: _googlePass,
  google_qrcode_url: _googleCode,
  ...pass
}: api.Pass) {
  return pass;
}

async function devicesOf(
  { passes, registrations }: ExportDeps,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
) {
  const passIds = await passes.idsOfClients(workspaceId, [clientId]);
  const known = await registrations.listOfPasses(workspaceId, passIds);
  const registered = known.filter(({ isEnded }) => !isEnded);
  return registered.map(({ deviceId, passId, passType, pushToken }) => ({
    pass_id: passId,
    device_library_identifier: deviceId,
    pass_type_identifier: passType,
    push_token: pushToken,
  }));
}
