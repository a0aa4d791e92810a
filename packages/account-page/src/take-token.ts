/**
 * The token that a mailed link carries, taken out of the address: it must not stand in a list of addresses or on a screenshot.
 * The entry keeps it, so that the page can be loaded again before anything was done.
 */
export function takeToken(
  address: Pick<Location, 'href'>,
  past: Pick<History, 'replaceState' | 'state'>,
): string | null {
  const url = new URL(address.href);
  const token = url.searchParams.get('token');
  if (token === null) return (past.state as { token?: string } | null)?.token ?? null;
  url.searchParams.delete('token');
  past.replaceState({ token }, '', `${url.pathname}${url.search}`);
  return token;
}
