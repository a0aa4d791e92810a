export {
  CLIENT_ACCESS_SECONDS,
  portalSessionId,
  requireProven,
  requireSince,
  signClientAccess,
} from './client-access';
export { type AuthCache, createAuthCache } from './fill';
export {
  authKeys,
  type CachedMembership,
  type CachedMobilePrincipal,
  type CachedPortal,
  type CachedPrincipal,
} from './keys';
export {
  addressMark,
  createPortalLinks,
  type PortalLink,
  type PortalLinks,
} from './portal-links';
export { readAuth } from './read';
export { createTokens, digestToken, type TokenClaims, type Tokens, type TokenType } from './tokens';
