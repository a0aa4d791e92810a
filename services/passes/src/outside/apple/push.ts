import { createHash } from 'node:crypto';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import type { AppleCredentials } from '../credentials/types';

const TIMEOUT_MS = 10_000;
/** Below what load balancers and gateways on the way let a silent connection live; the shortest known is four minutes. */
const IDLE_MS = 3 * 60_000;
const OK = 200;
const GONE = 410;
/** Apple's words for a token that will never work again. */
const DEAD_TOKEN = new Set([
  'BadDeviceToken',
  'Unregistered',
  'DeviceTokenNotForTopic',
  'ExpiredToken',
]);

/** What became of a push: delivered to Apple, to a device that is gone, or not delivered. */
export type PushOutcome = 'sent' | 'gone';

/** Apple did not take a push; another try may succeed. */
export class PushFailure extends Error {
  override readonly name = 'PushFailure';
  constructor(
    message: string,
    /** What Apple answered; null where it did not. */
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

export type ApplePush = ReturnType<typeof createApplePush>;

/**
 * Tells devices that a pass changed, through Apple's push service: an empty message, upon which they ask for the pass
 * themselves. One HTTP/2 connection per certificate, opened when needed and closed when idle or silent.
 */
export function createApplePush({
  baseUrl,
  ca,
  timeoutMs = TIMEOUT_MS,
}: {
  baseUrl: string;
  /** Checks a stand-in of Apple, whatever the name it is reached by. */
  ca?: string | undefined;
  /** How long Apple may take to answer a push. */
  timeoutMs?: number;
}) {
  const sessions = new Map<string, ClientHttp2Session>();
  /** A page of pushes goes by the same credentials: their certificate is digested once. */
  const names = new WeakMap<AppleCredentials, string>();

  function nameOf(credentials: AppleCredentials): string {
    const known = names.get(credentials);
    if (known !== undefined) return known;
    const name = createHash('sha256').update(credentials.certificate).digest('base64');
    names.set(credentials, name);
    return name;
  }

  function sessionOf(credentials: AppleCredentials): ClientHttp2Session {
    const { certificate, key, passphrase } = credentials;
    const name = nameOf(credentials);
    const open = sessions.get(name);
    if (open && !open.closed && !open.destroyed) return open;
    const trust = ca === undefined ? {} : { ca, checkServerIdentity: () => undefined };
    const session = connect(baseUrl, { cert: certificate, key, passphrase, ...trust });
    sessions.set(name, session);
    const forget = () => {
      if (sessions.get(name) === session) sessions.delete(name);
    };
    session.on('error', forget).on('close', forget).on('goaway', forget);
    session.setTimeout(IDLE_MS, () => session.close());
    session.unref();
    return session;
  }

  return {
    /** Throws PushFailure where Apple is away, busy or refuses the certificate. */
    async send(
      credentials: AppleCredentials,
      { pushToken, topic }: { pushToken: string; topic: string },
    ): Promise<PushOutcome> {
      const session = sessionOf(credentials);
      const { status, body } = await request(session, { pushToken, topic, timeoutMs });
      if (status === OK) return 'sent';
      if (status === GONE || DEAD_TOKEN.has(reasonOf(body))) return 'gone';
      throw new PushFailure(`Apple answered ${status}: ${body.slice(0, 200)}`, status);
    },

    async close(): Promise<void> {
      const open = [...sessions.values()].filter(({ closed, destroyed }) => !closed && !destroyed);
      sessions.clear();
      await Promise.all(
        open.map((session) => new Promise<void>((resolve) => session.close(() => resolve()))),
      );
    },
  };
}

function request(
  session: ClientHttp2Session,
  { pushToken, topic, timeoutMs }: { pushToken: string; topic: string; timeoutMs: number },
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new PushFailure(error.message));
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: `/3/device/${encodeURIComponent(pushToken)}`,
      'apns-topic': topic,
      'apns-push-type': 'background',
      'apns-priority': '5',
    });
    let status = 0;
    let body = '';
    stream.setEncoding('utf8');
    stream.setTimeout(timeoutMs, () => {
      stream.destroy(new Error('Apple does not answer'));
      // The way may drop what is sent without a word, for as long as the kernel sends it again: the next push dials anew.
      session.close();
    });
    stream.on('response', (headers) => {
      status = Number(headers[constants.HTTP2_HEADER_STATUS]);
    });
    stream.on('data', (chunk: string) => {
      body += chunk;
    });
    let hasEnded = false;
    stream.on('end', () => {
      hasEnded = true;
      resolve({ status, body });
    });
    stream.on('error', fail);
    stream.on('close', () => {
      if (!hasEnded) fail(new Error('the connection to Apple was closed'));
    });
    stream.end('{}');
  });
}

function reasonOf(body: string): string {
  try {
    return (JSON.parse(body) as { reason?: string }).reason ?? '';
  } catch {
    return '';
  }
}
