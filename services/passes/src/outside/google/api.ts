import { createHash } from 'node:crypto';
import { sign } from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { GooglePass } from '../../domain/wallet/google-pass';
import type { GoogleCredentials } from '../credentials/types';

const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_SECONDS = 3_600;
/** A token is renewed so long before it ends. */
const MARGIN_SECONDS = 300;
/** An account that Google has refused is asked about again after this: all the passes behind it make one call a minute. */
const REFUSED_MS = 60_000;
const TIMEOUT_MS = 10_000;
const ACCOUNTS_MAX = 1_000;
const NOT_FOUND = 404;
const TIMED_OUT = 408;
const TOO_MANY = 429;

/** An answer of Google that is not a success. */
export class GoogleRefusal extends Error {
  override readonly name: string = 'GoogleRefusal';
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`Google answered ${status}: ${text.slice(0, 500)}`);
  }

  /** Whether the same would be answered again. */
  get isFinal(): boolean {
    return this.status < 500 && this.status !== TIMED_OUT && this.status !== TOO_MANY;
  }
}

/** Google gives the service account no token, so it takes nothing by it, whatever the pass. */
export class GoogleAccountRefusal extends GoogleRefusal {
  override readonly name = 'GoogleAccountRefusal';
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
  const tokenOf = createTokens(tokenUrl);

  async function call(
    credentials: GoogleCredentials,
    { method, path, body }: { method: 'POST' | 'PUT'; path: string; body: object },
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(`${baseUrl}/walletobjects/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await tokenOf(credentials)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new GoogleRefusal(answer.status, await answer.text());
    return (await answer.json()) as Record<string, unknown>;
  }

  /** Replaces what Google has, or creates it. */
  async function put(credentials: GoogleCredentials, collection: string, resource: { id: string }) {
    const path = `${collection}/${resource.id}`;
    try {
      return await call(credentials, { method: 'PUT', path, body: resource });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return call(credentials, { method: 'POST', path: collection, body: resource });
    }
  }

  return {
    /** Throws GoogleAccountRefusal where Google gives the account no token; what it answered lately is not asked for again. */
    async signIn(credentials: GoogleCredentials): Promise<void> {
      await tokenOf(credentials);
    },

    /** Brings class and object at Google up to date; returns whether anybody has the pass in a wallet. */
    async put(
      credentials: GoogleCredentials,
      { kind, class: passClass, object }: GooglePass,
    ): Promise<{ hasUsers: boolean }> {
      await put(credentials, `${kind}Class`, passClass);
      const stored = await put(credentials, `${kind}Object`, object);
      return { hasUsers: stored.hasUsers === true };
    },

    /** Shows a text on the phone that has the pass. */
    async notify(
      credentials: GoogleCredentials,
      { kind, object }: Pick<GooglePass, 'kind' | 'object'>,
      { id, header, body }: GoogleMessage,
    ): Promise<void> {
      const message = { id, header, body, messageType: 'TEXT_AND_NOTIFY' };
      const path = `${kind}Object/${object.id}/addMessage`;
      await call(credentials, { method: 'POST', path, body: { message } });
    },

    /** Puts its end in place of what Google has of a pass; one that Google does not know is no failure. */
    async end(
      credentials: GoogleCredentials,
      { kind, object }: { kind: GooglePass['kind']; object: { id: string } },
    ): Promise<void> {
      const path = `${kind}Object/${object.id}`;
      try {
        await call(credentials, { method: 'PUT', path, body: object });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

const isNotFound = (error: unknown): boolean =>
  error instanceof GoogleRefusal &&
  !(error instanceof GoogleAccountRefusal) &&
  error.status === NOT_FOUND;

/**
 * The token of a service account; one that still lives is not asked for again, nor one that was refused just now. It is kept
 * under the key as well: the address of an account stands in every link that it signs, and any workspace may claim it with a
 * key of its own.
 */
function createTokens(tokenUrl: string): (credentials: GoogleCredentials) => Promise<string> {
  const answers = new LRUCache<string, { answer: string | GoogleAccountRefusal; until: number }>({
    max: ACCOUNTS_MAX,
  });

  return async ({ email, key }) => {
    const account = createHash('sha256')
      .update(JSON.stringify([email, key]))
      .digest('base64');
    const kept = answers.get(account);
    const now = Date.now();
    if (kept && kept.until > now) {
      if (kept.answer instanceof GoogleAccountRefusal) throw kept.answer;
      return kept.answer;
    }
    const claims = { iss: email, scope: SCOPE, aud: tokenUrl };
    const assertion = sign(claims, key, { algorithm: 'RS256', expiresIn: TOKEN_SECONDS });
    const answer = await fetch(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: GRANT, assertion }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) {
      const refusal = new GoogleAccountRefusal(answer.status, await answer.text());
      if (refusal.isFinal) answers.set(account, { answer: refusal, until: now + REFUSED_MS });
      throw refusal;
    }
    const { access_token: token, expires_in: seconds } = (await answer.json()) as {
      access_token: string;
      expires_in: number;
    };
    answers.set(account, { answer: token, until: now + (seconds - MARGIN_SECONDS) * 1_000 });
    return token;
  };
}
