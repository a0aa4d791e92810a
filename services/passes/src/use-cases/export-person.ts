import type { Json, JsonObject } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { exportClient } from './wallet/export-client';

/** Everything held on a person here: passes, devices, and what staff did for them (right of access). */
export async function exportPerson(
  deps: Deps,
  request: api.ClientRequest,
): Promise<api.ClientExport> {
  const { workspace_id, client_id } = request;
  const [{ data }, operations] = await Promise.all([
    exportClient(deps, request),
    deps.staffOperations.ofClient(workspace_id, client_id),
  ]);
  const atTheTill = operations.map(({ id, actionName, actionType, amount, currency, at }) => ({
    id,
    action_name: actionName,
    action_type: actionType,
    amount,
    currency,
    at: at.toISOString(),
  }));
  return { data: { ...(data as JsonObject), at_the_till: atTheTill as Json } };
}
