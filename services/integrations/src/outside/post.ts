import { complaintAboutUrl, FORBIDDEN, type GuardOptions } from '@laurel/outbound';
import { type Dispatcher, request } from 'undici';
import { type AttemptOutcome, parseRetryAfter } from '../domain/retry';

/** What is kept of an answer is for those who look why a receiver refused (part 4, section 10). */
const BODY: BodyBounds = { readMax: 16 * 1024, keptMax: 4 * 1024 };
const BODY_MS_MAX = 1_000;

/** In bytes. */
interface BodyBounds {
  /** Read at most, so that the connection can be used again. */
  readMax: number;
  keptMax: number;
}

export interface Outbound {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface PostSettings extends GuardOptions {
  agent: Dispatcher;
  timeoutMs: number;
}

/**
 * Posts JSON to a stranger and says what came of it; never throws. Redirects are not followed, answers
 * are not unpacked, only their first 4 KB kept, and what takes too long is cut off. undici's `request` rather than
 * `fetch`: the same connections at a fifth of the processor time.
 */
export async function post(message: Outbound, settings: PostSettings): Promise<AttemptOutcome> {
  const { agent, timeoutMs } = settings;
  const startedAt = performance.now();
  const ended = (
    status: number | null,
    error: string | null,
    retryAfterMs: number | null = null,
  ) => ({
    status,
    error,
    retryAfterMs,
    response: null,
    durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
  });
  const complaint = complaintAboutUrl(message.url, settings);
  if (complaint) return ended(null, complaint);
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), timeoutMs);
  try {
    const { statusCode, headers, body } = await request(message.url, {
      method: 'POST',
      headers: { ...message.headers, 'accept-encoding': 'identity' },
      body: message.body,
      signal: timer.signal,
      dispatcher: agent,
    });
    const retryAfter = parseRetryAfter(headers['retry-after'], new Date());
    const outcome = ended(statusCode, complaintAboutStatus(statusCode), retryAfter);
    return { ...outcome, response: await beginningOf(body, BODY) };
  } catch (error) {
    return ended(null, timer.signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error));
  } finally {
    clearTimeout(timeout);
  }
}

/**
 * The first bytes of an answer, as text. A small answer is read to its end, so that its connection can be used again; any
 * other is dropped, and so is one that takes longer than a second. Never throws.
 */
export async function beginningOf(
  body: Dispatcher.ResponseData['body'],
  { readMax, keptMax }: BodyBounds,
): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  const patience = setTimeout(() => body.destroy(), BODY_MS_MAX);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (size < keptMax) kept.push(chunk.subarray(0, keptMax - size));
      size += chunk.length;
      if (size > readMax) break;
    }
  } catch {
    // The status has been received; how the rest of the answer ends does not matter.
  } finally {
    clearTimeout(patience);
    body.destroy();
  }
  return textOf(Buffer.concat(kept));
}

/** Without half a character at the end, and with nothing that a store cannot take. */
const textOf = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd');

export function complaintAboutStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `answered ${status}; redirects are not followed`;
  return `answered ${status}`;
}

/**
 * The same for a test that is asked for and answered at once. Of what listens on this machine, which only
 * WEBHOOK_ALLOW_INSECURE lets anybody try, it does not tell a closed port from an open one.
 */
export function coarse<Outcome extends { status: number | null; error?: string | null }>(
  url: string,
  outcome: Outcome,
): Outcome {
  const isElsewhere = complaintAboutUrl(url, { allowInsecure: false }) === null;
  if (isElsewhere || outcome.status !== null || !outcome.error) return outcome;
  return { ...outcome, error: 'no answer came from this address' };
}

/** A fault of the network in words that help the operator of the endpoint and tell nothing about our side. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (message?.includes(FORBIDDEN)) return FORBIDDEN;
  const known: Record<string, string> = {
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was reset',
    EPIPE: 'the connection was reset',
    ENOTFOUND: 'the host name is unknown',
    EAI_AGAIN: 'the host name could not be resolved',
    ETIMEDOUT: 'the connection timed out',
    UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
    UND_ERR_SOCKET: 'the connection was closed before an answer came',
    UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  };
  if (code && known[code]) return known[code];
  if (code && /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return `the TLS connection failed (${code})`;
  }
  return code ? `the request failed (${code})` : 'the request failed';
}
