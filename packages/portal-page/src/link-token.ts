interface Place {
  pathname: string;
  search: string;
  hash: string;
}

/**
 * The token that the page's address carries (`?token=`, or `#token=`), taken out of the address at once:
 * it opens somebody's account, and must not stay in the history, a bookmark or a screenshot.
 */
export function takeLinkToken(place: Place, history: Pick<History, 'replaceState'>): string | null {
  const query = new URLSearchParams(place.search);
  const fragment = new URLSearchParams(place.hash.replace(/^#\/?/, ''));
  const token = query.get('token') ?? fragment.get('token');
  if (token === null) return null;
  query.delete('token');
  const search = query.size > 0 ? `?${query}` : '';
  const hash = fragment.has('token') ? '' : place.hash;
  history.replaceState(null, '', `${place.pathname}${search}${hash}`);
  return token === '' ? null : token;
}
