import type { TokenClaims, Tokens, TokenType } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import type { Response } from 'express';
import { addressKey } from './address';
import type { WrongCredentials } from './wrong-credentials';

const REMEMBERED_MAX = 10_000;

type Verify = (type: TokenType, token: string, at?: number) => TokenClaims;

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
  return (type, token, at = Date.now()) => {
    const known = remembered.get(token);
    if (known?.type === type) {
      if (known.exp * 1_000 > at) return known;
      remembered.delete(token);
      throw platform.tokenExpired();
    }
    const claims = tokens.verify(type, token, at);
    const isBound = type === 'client_access' ? claims.ws !== undefined : claims.sid !== undefined;
    if (!isBound) throw platform.invalidToken();
    if (remembered.size >= REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!);
    remembered.set(token, claims);
    return claims;
  };
}

/** When the caller of a request came with its token, in milliseconds: it may end while its body or file is on its way. */
export function noteComing(response: Response): void {
  response.locals.cameAt = Date.now();
}

/** From now on the token of a request has to be good at each look, for what it gets goes on without an end. */
export function forgetComing(response: Response): void {
  response.locals.cameAt = undefined;
}

export const cameAtOf = ({ locals }: Response): number | undefined => locals?.cameAt;

/** Reads the claims of a token, and counts it against the address of the request where it is a wrong one. */
export function createClaimsReader(verify: Verify, credentials: WrongCredentials): ReadClaims {
  return async (type, token, response) => {
    try {
      return verify(type, token, cameAtOf(response));
    } catch (error) {
      throw await credentials.counted(error, addressKey(response.req.ip), response);
    }
  };
}
