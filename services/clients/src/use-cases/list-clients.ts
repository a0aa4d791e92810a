import { CLIENT_COLUMNS } from '@laurel/contract';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { ClientFilter } from '../store/client-filter';
import { toSnapshot } from '../store/mapping';
import type { Sort } from '../store/page';

const DEFAULT_SORT = '-date_created';

export async function listClients(
  { clients }: Pick<Deps, 'clients'>,
  request: api.ListClientsRequest,
): Promise<api.ClientPage> {
  const sort = sortOf(request.sort ?? DEFAULT_SORT);
  const { workspace_id: workspaceId, limit, offset, cursor } = request;
  const page = await clients.list({
    workspaceId,
    filter: filterOf(request.filter),
    sort,
    page: { limit, offset, cursor },
  });
  return {
    clients: page.clients.map(toSnapshot),
    total: page.total,
    next_cursor: page.nextCursor,
  };
}

/** The filter of a list or export as the store takes it. */
export function filterOf(filter: api.ClientFilter | undefined): ClientFilter {
  const { from_date: from, to_date: to, ...rest } = filter ?? {};
  return {
    ...rest,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
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
