import { CLIENT_COLUMNS } from '@laurel/contract';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toSnapshot } from '../store/mapping';
import type { Sort } from '../store/page';
import { type ListDeps, readListFilter } from './read-list-filter';

const DEFAULT_SORT = '-date_created';

/** A page of the clients that a filter names. */
export async function listClients(
  deps: ListDeps & Pick<Deps, 'narrowed'>,
  request: api.ListClientsRequest,
): Promise<api.ClientPage> {
  const sort = sortOf(request.sort ?? DEFAULT_SORT);
  const { workspace_id: workspaceId, limit, offset, cursor } = request;
  const page = { limit, offset, cursor };
  const asked = await readListFilter(deps, workspaceId, request.filter);
  if ('narrowed' in asked) {
    const { clientIds, ...rest } = await deps.narrowed.list({ ...asked.narrowed, sort, page });
    const found = await deps.clients.findMany(workspaceId, clientIds);
    const byId = new Map(found.map((client) => [client.id, toSnapshot(client)]));
    return {
      // Clients that went meanwhile are left out.
      clients: clientIds.flatMap((id) => byId.get(id) ?? []),
      total: rest.total,
      next_cursor: rest.nextCursor,
    };
  }
  const found = await deps.clients.list({ workspaceId, filter: asked.filter, sort, page });
  return {
    clients: found.clients.map(toSnapshot),
    total: found.total,
    next_cursor: found.nextCursor,
  };
}

function sortOf(text: string): Sort {
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  if (!(CLIENT_COLUMNS as readonly string[]).includes(column)) {
    throw refusals.unknownSort({
      field: 'sort',
      message: `sort must be one of ${CLIENT_COLUMNS.join(', ')}, with - in front for descending`,
    });
  }
  return { column: column === 'id' ? '_id' : column, descending };
}
