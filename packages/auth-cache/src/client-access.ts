import { randomUUID } from 'node:crypto';
import { platform } from '@laurel/errors';
import type { PortalLink } from './portal-links';
import { digestToken, type TokenClaims, type Tokens } from './tokens';

/** Life of a portal session: 30 days (part 1, Limits). */
export const CLIENT_ACCESS_SECONDS = 30 * 86_400;

/** Refuses INVALID_TOKEN for a session from before the client's address was proven, or from before it became another one (docs/adr/0014). */
export function requireProven(claims: TokenClaims, since: number | undefined): void {
  if ((claims.at ?? claims.iat * 1_000) < (since ?? 0)) throw platform.invalidToken();
}

/**
 * The `x-client-token` of one client in one workspace. Who takes it asks whether the client still stands,
 * and whether the session was ended.
 *
 * @param given.since the portal's `sessions_since` where somebody signed in; left out by who made the client,
 *   and then the time of signing decides
 * @param given.at when it is as good as signed, in milliseconds
 */
export function signClientAccess(
  tokens: Tokens,
  { workspaceId, clientId }: PortalLink,
  { since, at = Date.now() }: { since?: number; at?: number } = {},
): string {
  const claims = { sub: clientId, ws: workspaceId, jti: randomUUID(), at };
  const access = since === undefined ? claims : { ...claims, since };
  return tokens.sign('client_access', access, CLIENT_ACCESS_SECONDS);
}

/** What a portal session is ended by: of a token from before they had ids, the digest of what it says. */
export function portalSessionId(claims: TokenClaims): string {
  return claims.jti ?? digestToken(`${claims.ws}:${claims.sub}:${claims.iat}`);
}

/** Refuses INVALID_TOKEN for a session from before all sessions of the portal were ended. */
export function requireSince(claims: TokenClaims, sessionsSince: number): void {
  const stands =
    claims.since === undefined
      ? (claims.at ?? claims.iat * 1_000) >= sessionsSince
      : claims.since === sessionsSince;
  if (!stands) throw platform.invalidToken();
}
