export interface PairingLink {
  identifier: string;
  code: string;
}

/** The pairing that a link carries behind its #, taken out of the address at once. */
export function takePairing(
  address: Pick<Location, 'hash' | 'pathname'>,
  past: Pick<History, 'replaceState'>,
): PairingLink | null {
  const given = /^#pair=([^:]+):(\d{4,10})$/.exec(address.hash);
  if (address.hash !== '') past.replaceState(null, '', address.pathname);
  return given ? { identifier: decodeURIComponent(given[1]!), code: given[2]! } : null;
}
