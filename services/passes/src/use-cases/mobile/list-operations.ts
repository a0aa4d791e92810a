import { cutPage, decodeCursor } from '@laurel/mongo';
import type { passes as api, clients } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { withoutHidden } from '../../domain/mobile/hiding';
import { keptFrom, type StaffOperation } from '../../domain/mobile/staff-operation';
import { openApp } from './open-app';

type ListDeps = Pick<MobileDeps, 'clients' | 'clock' | 'mobileApps' | 'staffOperations'>;

/** What a device did lately, with as much of whom it was for as staff may see. */
export async function listRecentOperations(
  deps: ListDeps,
  request: api.RecentOperationsRequest,
): Promise<api.StaffOperations> {
  const { workspace_id: workspaceId, session_id: sessionId, limit } = request;
  const config = await openApp(deps, request);
  const found = await deps.staffOperations.list(workspaceId, { sessionId }, { limit });
  const operations = await shown(deps, { workspaceId, operations: found }, (client) =>
    withoutHidden(config?.hidden_fields, client),
  );
  return { operations, next_cursor: null };
}

/** What staff did on whichever device, for those who run the shop. */
export async function listStaffActivity(
  deps: ListDeps,
  request: api.StaffActivityRequest,
): Promise<api.StaffOperations> {
  const { workspace_id: workspaceId, mobile_user_id: mobileUserId, limit, cursor } = request;
  const position = cursor === undefined ? undefined : decodeCursor(cursor, isPosition);
  const after = position && { at: new Date(position[0]), id: position[1] };
  const found = await deps.staffOperations.list(
    workspaceId,
    {
      mobileUserId,
      from: request.from_date === undefined ? undefined : new Date(request.from_date),
      until: request.to_date === undefined ? undefined : new Date(request.to_date),
    },
    { limit: limit + 1, after },
  );
  const { rows, nextCursor } = cutPage(found, limit, ({ at, id }) => [at.toISOString(), id]);
  return {
    operations: await shown(deps, { workspaceId, operations: rows }, (client) => client),
    next_cursor: nextCursor,
  };
}

/** Time and id of the last row of a page. */
function isPosition(value: unknown): value is [string, string] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((part) => typeof part === 'string') &&
    !Number.isNaN(Date.parse(String(value[0])))
  );
}

async function shown(
  { clients, clock }: Pick<MobileDeps, 'clients' | 'clock'>,
  {
    workspaceId: workspace_id,
    operations,
  }: { workspaceId: string; operations: readonly StaffOperation[] },
  hide: (client: clients.Client) => clients.Client,
): Promise<api.StaffOperation[]> {
  const ids = [...new Set(operations.map(({ clientId }) => clientId))];
  const known = ids.length === 0 ? [] : (await clients.GetClients({ workspace_id, ids })).clients;
  const names = new Map(known.map((client) => [client.id, nameOf(hide(client))]));
  const now = clock.now();
  return operations.map((operation) => ({
    id: operation.id,
    action_id: operation.actionId,
    action_name: operation.actionName,
    action_type: operation.actionType,
    mobile_user_id: operation.mobileUserId,
    session_id: operation.sessionId,
    pass_id: operation.passId,
    client_id: operation.clientId,
    client_name: names.get(operation.clientId) ?? null,
    amount: operation.amount,
    wallet_type_code: operation.walletTypeCode,
    currency: operation.currency,
    at: operation.at.toISOString(),
    occurred_at: operation.occurredAt?.toISOString() ?? null,
    undone_at: operation.undoneAt?.toISOString() ?? null,
    undoable: keptFrom(operation, operation.sessionId, now) === null,
  }));
}

function nameOf({ first_name, last_name }: clients.Client): string | null {
  return [first_name, last_name].filter(Boolean).join(' ') || null;
}
