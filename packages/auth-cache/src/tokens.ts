import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { platform } from '@laurel/errors';
import jwt from 'jsonwebtoken';

/** What a signed token is good for; a token of one type is never taken for another. */
export type TokenType = 'session_access' | 'mobile_access' | 'client_access';

export interface TokenClaims {
  type: TokenType;
  /** The user, mobile user or client. */
  sub: string;
  /** The session; absent on portal tokens, which have none. */
  sid?: string;
  /** The workspace a mobile or portal token is bound to. */
  ws?: string;
  /** On portal tokens: what tells two of one client apart. Absent on those from before they could be ended. */
  jti?: string;
  /** On portal tokens: when it was signed, in milliseconds. */
  at?: number;
  /** On portal tokens of a sign-in: the `sessions_since` of the portal that it was made under. */
  since?: number;
  iat: number;
  exp: number;
}

export interface Tokens {
  sign(
    type: TokenType,
    claims: Omit<TokenClaims, 'type' | 'iat' | 'exp'>,
    lifeSeconds: number,
  ): string;
  /**
   * The claims of a token of this type; throws INVALID_TOKEN or TOKEN_EXPIRED.
   *
   * @param at when it has to be good, in milliseconds; now without it
   */
  verify(type: TokenType, token: string, at?: number): TokenClaims;
}

const ISSUER = 'laurel';
const ALGORITHM = 'HS256';

/**
 * Signs and checks the platform's own tokens. `previousSecret` is still accepted while a secret is
 * being replaced. The key's id travels in the header and says which of the two was used; a token that
 * names no key is checked against the current one.
 */
export function createTokens(secret: string, previousSecret?: string): Tokens {
  const current = keyOf(secret);
  const known = new Map([[current.id, current.key]]);
  if (previousSecret !== undefined) {
    const previous = keyOf(previousSecret);
    known.set(previous.id, previous.key);
  }
  return {
    sign: (type, claims, lifeSeconds) =>
      jwt.sign({ type, ...claims }, current.key, {
        algorithm: ALGORITHM,
        keyid: current.id,
        issuer: ISSUER,
        audience: type,
        expiresIn: lifeSeconds,
      }),

    verify(type, token, at = Date.now()) {
      const key = known.get(keyIdOf(token) ?? current.id);
      if (key === undefined) throw platform.invalidToken();
      try {
        const claims = jwt.verify(token, key, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: type,
          clockTimestamp: Math.floor(at / 1_000),
        });
        if (!isClaims(claims) || claims.type !== type) throw platform.invalidToken();
        return claims;
      } catch (error) {
        if (error instanceof jwt.TokenExpiredError) throw platform.tokenExpired();
        throw platform.invalidToken();
      }
    },
  };
}

/** SHA-256 as hex: how tokens that are pure chance are stored and looked up. */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function keyOf(secret: string): { id: string; key: KeyObject } {
  return {
    id: createHash('sha256').update(`laurel-kid:${secret}`).digest('hex').slice(0, 12),
    key: createSecretKey(Buffer.from(secret, 'utf8')),
  };
}

function keyIdOf(token: string): string | undefined {
  try {
    return jwt.decode(token, { complete: true })?.header.kid;
  } catch {
    return undefined;
  }
}

function isClaims(claims: unknown): claims is TokenClaims {
  return (
    typeof claims === 'object' && claims !== null && typeof (claims as TokenClaims).sub === 'string'
  );
}
