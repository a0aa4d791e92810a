import { sign } from 'jsonwebtoken';
import type { GooglePass } from '../../domain/wallet/google-pass';
import type { GoogleCredentials } from '../credentials/types';

const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_SECONDS = 3_600;
/** A token is renewed so long before it ends. */
const MARGIN_SECONDS = 300;
const TIMEOUT_MS = 10_000;
const NOT_FOUND = 404;

/** An answer of Google that is not a success. */
export class GoogleRefusal extends Error {
  override readonly name = 'GoogleRefusal';
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`Google answered ${status}: ${text.slice(0, 500)}`);
  }
}

export interface GoogleMessage {
  /** Google shows a message of one id once. */
  id: string;
  header: string;
  body: string;
}

export type GoogleApi = ReturnType<typeof createGoogleApi>;

/** The part of the Google Wallet API that passes need. Tokens are kept for as long as they live. */
export function createGoogleApi({ baseUrl, tokenUrl }: { baseUrl: string; tokenUrl: string }) {
  const tokens = new Map<string, { token: string; until: number }>();

  async function tokenOf({ email, key }: GoogleCredentials): Promise<string> {
    const kept = tokens.get(email);
    const now = Date.now();
    if (kept && kept.until > now) return kept.token;
    const claims = { iss: email, scope: SCOPE, aud: tokenUrl };
    const assertion = sign(claims, key, { algorithm: 'RS256', expiresIn: TOKEN_SECONDS });
    const answer = await fetch(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: GRANT, assertion }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new GoogleRefusal(answer.status, await answer.text());
    const { access_token: token, expires_in: seconds } = (await answer.json()) as {
      access_token: string;
      expires_in: number;
    };
    tokens.set(email, { token, until: now + (seconds - MARGIN_SECONDS) * 1_000 });
    return token;
  }

  async function call(
    credentials: GoogleCredentials,
    method: 'POST' | 'PUT' | 'PATCH' | 'GET',
    path: string,
    body?: object,
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(`${baseUrl}/walletobjects/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await tokenOf(credentials)}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new GoogleRefusal(answer.status, await answer.text());
    return (await answer.json()) as Record<string, unknown>;
  }

  /** Replaces what Google has, or creates it. */
  async function put(credentials: GoogleCredentials, collection: string, resource: { id: string }) {
    try {
      return await call(credentials, 'PUT', `${collection}/${resource.id}`, resource);
    } catch (error) {
      if (!(error instanceof GoogleRefusal) || error.status !== NOT_FOUND) throw error;
      return call(credentials, 'POST', collection, resource);
    }
  }

  return {
    /** Brings class and object at Google up to date; returns whether anybody has the pass in a wallet. */
    async put(
      credentials: GoogleCredentials,
      { kind, class: passClass, object }: GooglePass,
    ): Promise<{ hasUsers: boolean }> {
      await put(credentials, `${kind}Class`, passClass);
      const stored = await put(credentials, `${kind}Object`, object);
      return { hasUsers: stored.hasUsers === true };
    },

    /** Shows a text on the phone of whoever has the pass. */
    async notify(
      credentials: GoogleCredentials,
      { kind, object }: Pick<GooglePass, 'kind' | 'object'>,
      { id, header, body }: GoogleMessage,
    ): Promise<void> {
      const message = { id, header, body, messageType: 'TEXT_AND_NOTIFY' };
      await call(credentials, 'POST', `${kind}Object/${object.id}/addMessage`, { message });
    },

    /** Puts its end in place of what Google has of a pass; one that Google does not know is no failure. */
    async end(
      credentials: GoogleCredentials,
      { kind, object }: { kind: GooglePass['kind']; object: { id: string } },
    ): Promise<void> {
      try {
        await call(credentials, 'PUT', `${kind}Object/${object.id}`, object);
      } catch (error) {
        if (!(error instanceof GoogleRefusal) || error.status !== NOT_FOUND) throw error;
      }
    },
  };
}
