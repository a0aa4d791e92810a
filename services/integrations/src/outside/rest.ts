import { type Json, parseJson } from '@laurel/errors';
import { complaintAboutUrl } from '@laurel/outbound';
import { type Dispatcher, request } from 'undici';
import { parseRetryAfter } from '../domain/retry';
import { complaintAboutStatus, type PostSettings, reasonOf } from './post';

/** Room for a page of transactions; what answers more is not a page. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const USER_AGENT = 'Laurel-Integrations/1.0';

export interface RestCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  /** Sent as a bearer token. */
  apiKey?: string | undefined;
  headers?: Record<string, string>;
  body?: Json;
  /** Less than the usual patience, where somebody waits for the answer. */
  timeoutMs?: number;
}

/** What came of a call. */
export interface RestAnswer {
  /** Null when no answer came. */
  status: number | null;
  /** A sentence; null exactly when the status is 2xx. */
  error: string | null;
  retryAfterMs: number | null;
  /** The answer, where it is JSON. */
  json?: Json;
}

/** Calls an address that a workspace configured; never throws. */
export type Rest = (call: RestCall) => Promise<RestAnswer>;

/**
 * Calls to the systems of workspaces, under the same rules as webhooks: the address is guarded before and while it is
 * dialled, redirects are not followed, and what takes too long or answers too much is cut off.
 */
export function createRest(settings: PostSettings): Rest {
  return async (call) => {
    const complaint = complaintAboutUrl(call.url, settings);
    if (complaint) return { status: null, error: complaint, retryAfterMs: null };
    const timeoutMs = Math.min(call.timeoutMs ?? settings.timeoutMs, settings.timeoutMs);
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), timeoutMs);
    try {
      const { statusCode, headers, body } = await request(call.url, {
        method: call.method,
        headers: headersOf(call),
        body: call.body === undefined ? null : JSON.stringify(call.body),
        signal: timer.signal,
        dispatcher: settings.agent,
      });
      const error = complaintAboutStatus(statusCode);
      const retryAfterMs = parseRetryAfter(headers['retry-after'], new Date());
      return { status: statusCode, error, retryAfterMs, json: await readJson(body) };
    } catch (error) {
      const reason = timer.signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error);
      return { status: null, error: reason, retryAfterMs: null };
    } finally {
      clearTimeout(timeout);
    }
  };
}

function headersOf({ apiKey, headers, body }: RestCall): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
}

async function readJson(body: Dispatcher.ResponseData['body']): Promise<Json | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) {
      body.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  try {
    return parseJson(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
