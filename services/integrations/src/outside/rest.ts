import { type Json, parseJson } from '@laurel/errors';
import { type Agents, complaintAboutUrl } from '@laurel/outbound';
import { type Dispatcher, request } from 'undici';
import { parseRetryAfter } from '../domain/retry';
import { beginningOf, complaintAboutStatus, type PostSettings, reasonOf } from './post';

/** Of an answer that is not looked at. */
const UNUSED = { readMax: 64 * 1024, keptMax: 0 };
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
  /** Room for the answer, in bytes of JSON; without it the answer is not looked at but for its status. */
  jsonBytesMax?: number;
}

/** What came of a call. */
export interface RestAnswer {
  /** Null when no answer came. */
  status: number | null;
  /** A sentence; null exactly when the status is 2xx. */
  error: string | null;
  retryAfterMs: number | null;
  /** The answer of a call that has room for one, where it succeeded and is JSON. */
  json?: Json;
  /** It was larger than the room for it, and is not kept. */
  isTooLarge?: true;
}

/** Calls an address that a workspace configured; never throws. */
export type Rest = (call: RestCall) => Promise<RestAnswer>;

/** The calls of one integration, by connections of its own: many workspaces use one host, and what hangs there is theirs alone. */
export type RestOf = (integration: { workspaceId: string; provider: string }) => Rest;

interface RestSettings extends Omit<PostSettings, 'agent'> {
  agents: Agents;
}

/**
 * Calls to the systems of workspaces, under the same rules as webhooks: the address is guarded before and while it is
 * dialled, redirects are not followed, and what takes too long or answers too much is cut off.
 */
export function createRest({ agents, ...settings }: RestSettings): RestOf {
  return ({ workspaceId, provider }) =>
    async (call) => {
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
          dispatcher: agents.of(`${workspaceId}:${provider}`),
        });
        const error = complaintAboutStatus(statusCode);
        const retryAfterMs = parseRetryAfter(headers['retry-after'], new Date());
        const answer = { status: statusCode, error, retryAfterMs };
        if (error === null && call.jsonBytesMax !== undefined)
          return { ...answer, ...(await readJson(body, call.jsonBytesMax)) };
        await beginningOf(body, UNUSED);
        return answer;
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

async function readJson(
  body: Dispatcher.ResponseData['body'],
  bytesMax: number,
): Promise<Pick<RestAnswer, 'json' | 'isTooLarge'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) {
      body.destroy();
      return { isTooLarge: true };
    }
    chunks.push(chunk);
  }
  try {
    return { json: parseJson(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return {};
  }
}
