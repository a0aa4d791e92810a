import type { PortalLink } from './portal-links';
import type { Tokens } from './tokens';

/** Life of a portal session: 30 days (part 1, Limits). */
export const CLIENT_ACCESS_SECONDS = 30 * 86_400;

/** The `x-client-token` of one client in one workspace. There is no session behind it: who takes it asks whether the client still stands. */
export function signClientAccess(tokens: Tokens, { workspaceId, clientId }: PortalLink): string {
  return tokens.sign('client_access', { sub: clientId, ws: workspaceId }, CLIENT_ACCESS_SECONDS);
}
