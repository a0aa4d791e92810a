/** The token that a mailed link carries, taken out of the address: it must not stay in history or on a screenshot. */
export function takeToken(
  address: Pick<Location, 'href'>,
  past: Pick<History, 'replaceState'>,
): string | null {
  const url = new URL(address.href);
  const token = url.searchParams.get('token');
  if (token === null) return null;
  url.searchParams.delete('token');
  past.replaceState(null, '', `${url.pathname}${url.search}`);
  return token;
}
