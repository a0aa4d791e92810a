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
  const identifier = given && decoded(given[1]!);
  return identifier ? { identifier, code: given[2]! } : null;
}

/** Null where it was mangled on its way. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
