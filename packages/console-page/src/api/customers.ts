import type { Client, Laurel, Page } from '@laurel/client';

export interface CustomerFilters {
  search?: string | undefined;
  status?: string | undefined;
  segment?: string | undefined;
  cursor?: string | undefined;
}

export const ROWS = 50;

/** A page of customers; those of a segment come as one page. */
export async function listCustomers(
  laurel: Laurel,
  { search, status, segment, cursor }: CustomerFilters,
): Promise<Page<Client>> {
  if (segment) {
    const [data, { total }] = await Promise.all([
      laurel.segments.listClients(segment, { limit: ROWS * 4 }),
      laurel.segments.countClients(segment),
    ]);
    return { data, meta: { total } };
  }
  return laurel.clients.list({
    limit: ROWS,
    sort: '-date_created',
    ...(search ? { search } : {}),
    ...(status ? { status: status as Client['status'] } : {}),
    ...(cursor ? { cursor } : {}),
  });
}
