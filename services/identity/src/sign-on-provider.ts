import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { refusals } from './refusals';

/** Whom an identity token names, once it was found to be genuine. */
export interface SignOnIdentity {
  subject: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
}

export interface SignOnProvider {
  /** Refuses: 503 while it is not set up or cannot be reached, INVALID_TOKEN for anything not genuine. */
  verify(token: string): Promise<SignOnIdentity>;
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
    return { verify: () => Promise.reject(refusals.signOnOff()) };
  }
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 3_000 });
  const issuers = [issuer, issuer.replace(/^https:\/\//, '')];
  return {
    async verify(token) {
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

function isAboutTheToken(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  // A key set that does not answer with one is a plain JOSEError; what is wrong with a token has a class.
  return error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC';
}

function nameOrNull(claim: unknown): string | null {
  return typeof claim === 'string' && claim !== '' ? claim.slice(0, 255) : null;
}
