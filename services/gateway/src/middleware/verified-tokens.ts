import type { TokenClaims, Tokens, TokenType } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';

const REMEMBERED_MAX = 10_000;

/**
 * Checks a signature once and remembers the claims until the token ends: a signature costs more than
 * the rest of the guard. Whether the session still stands is asked on every request all the same.
 */
export function createVerifier(tokens: Tokens): (type: TokenType, token: string) => TokenClaims {
  const remembered = new Map<string, TokenClaims>();
  return (type, token) => {
    const known = remembered.get(token);
    if (known?.type === type) {
      if (known.exp * 1_000 > Date.now()) return known;
      remembered.delete(token);
      throw platform.tokenExpired();
    }
    const claims = tokens.verify(type, token);
    const isBound = type === 'client_access' ? claims.ws !== undefined : claims.sid !== undefined;
    if (!isBound) throw platform.invalidToken();
    if (remembered.size >= REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!);
    remembered.set(token, claims);
    return claims;
  };
}
