import type { TokenClaims, Tokens, TokenType } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import type { Response } from 'express';
import { addressKey } from './address';
import type { WrongCredentials } from './wrong-credentials';

const REMEMBERED_MAX = 10_000;

type Verify = (type: TokenType, token: string) => TokenClaims;

export type ReadClaims = (
  type: TokenType,
  token: string,
  response: Response,
) => Promise<TokenClaims>;

/**
 * Checks a signature once and remembers the claims until the token ends: a signature costs more than
 * the rest of the guard. Whether the session still stands is asked on every request all the same.
 */
export function createVerifier(tokens: Tokens): Verify {
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

/** Reads the claims of a token, and counts it against the address of the request where it is a wrong one. */
export function createClaimsReader(verify: Verify, credentials: WrongCredentials): ReadClaims {
  return async (type, token, response) => {
    try {
      return verify(type, token);
    } catch (error) {
      throw await credentials.counted(error, addressKey(response.req.ip), response);
    }
  };
}
