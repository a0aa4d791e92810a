import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { refusals } from '../refusals';

/** Whom an identity token names, once it was found to be genuine. */
export interface SignOnIdentity {
  subject: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
}

export interface SignOnProvider {
  /** Whether it is set up. */
  isOn: boolean;
  /**
   * Refuses: 503 while it is not set up or cannot be reached, INVALID_TOKEN for anything not genuine, not
   * made for us, or not made for this very attempt.
   *
   * @param nonce what the page gave the provider, if it gave any; the token carries the same
   */
  verify(token: string, nonce?: string): Promise<SignOnIdentity>;
}

export interface SignOnSettings {
  clientId: string | undefined;
  jwksUrl: string;
  issuer: string;
}

const CLOCK_TOLERANCE_SECONDS = 30;

/** Checks identity tokens against the provider's published keys, its issuer and our own audience. */
export function createSignOnProvider({
  clientId,
  jwksUrl,
  issuer,
}: SignOnSettings): SignOnProvider {
  if (clientId === undefined) {
    return { isOn: false, verify: () => Promise.reject(refusals.signOnOff()) };
  }
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 3_000 });
  const issuers = [issuer, issuer.replace(/^https:\/\//, '')];
  return {
    isOn: true,
    async verify(token, nonce) {
      const { payload } = await jwtVerify(token, keys, {
        issuer: issuers,
        audience: clientId,
        algorithms: ['RS256', 'ES256'],
        requiredClaims: ['sub', 'exp', 'email'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      }).catch((error: unknown) => {
        throw isAboutTheToken(error) ? refusals.badIdentityToken() : refusals.signOnUnreachable();
      });
      const { sub, email, email_verified: verified } = payload;
      requireOurs(payload, clientId, nonce);
      if (typeof email !== 'string' || typeof sub !== 'string') throw refusals.badIdentityToken();
      if (verified !== true) throw refusals.unverifiedAddress();
      return {
        subject: sub,
        email,
        firstName: nameOrNull(payload.given_name),
        lastName: nameOrNull(payload.family_name),
      };
    },
  };
}

/**
 * A token may name us among others; whom it was handed to stands in `azp` (OpenID Connect Core, 3.1.3.7). A page
 * that gave the provider a nonce says so, and takes no token that was made for another attempt.
 */
function requireOurs(
  { aud, azp, nonce: carried }: JWTPayload,
  clientId: string,
  nonce: string | undefined,
): void {
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForSeveral : azp !== clientId) throw refusals.badIdentityToken();
  if (nonce !== undefined && carried !== nonce) throw refusals.badIdentityToken();
}

function isAboutTheToken(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  // A key set that does not answer with one is a plain JOSEError; what is wrong with a token has a class.
  return error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC';
}

function nameOrNull(claim: unknown): string | null {
  return typeof claim === 'string' && claim !== '' ? claim.slice(0, 255) : null;
}
