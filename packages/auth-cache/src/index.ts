export { type AuthCache, createAuthCache } from './fill';
export {
  authKeys,
  type CachedMembership,
  type CachedMobilePrincipal,
  type CachedPrincipal,
} from './keys';
export { readAuth } from './read';
export { createTokens, digestToken, type TokenClaims, type Tokens, type TokenType } from './tokens';
