import { addressOf } from './address';
import { ConnectionError, isLaurelError, LaurelError, problemsOf } from './errors';
import { settleRepeat } from './lost-answer';
import { backoffMs, limitOf, pause } from './waiting';

/** How a client is set up. */
export interface LaurelOptions {
  /** Where the platform is, such as `https://loyalty.example.com`. */
  baseUrl: string;
  /**
   * An API token, or a session token. A function is asked before each try, and once more, with true, where the platform
   * takes what it gave no longer: time for a new session.
   */
  token?: string | ((isRefused: boolean) => string | Promise<string>);
  /** The session of a client in the portal, for `portal`. */
  clientToken?: string;
  /** The session of the staff app, for `staffApp`. */
  staffToken?: string;
  /** The workspace that is meant where a call names none. */
  workspace?: string;
  /** Milliseconds for one try; 30 000 unless said otherwise. */
  timeoutMs?: number;
  /** Tries after the first; 2 unless said otherwise. */
  retries?: number;
  /** Sent with every call. */
  headers?: Record<string, string>;
  /** In place of the runtime's own. */
  fetch?: typeof fetch;
  /** Hears of every try: for logs and traces. */
  onAttempt?: (attempt: Attempt) => void;
  /** An API token may do all its user may: a page in a browser would show it to everybody. */
  dangerouslyAllowBrowser?: boolean;
}

export interface CallOptions {
  workspace?: string;
  timeoutMs?: number;
  retries?: number;
  /** Ends the call, all tries of it. */
  signal?: AbortSignal;
  /** Makes a repeat by another process harmless; without it each call has a key of its own. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

/** One try of a call. */
export interface Attempt {
  operation: string;
  url: string;
  /** 1 for the first. */
  number: number;
  ms: number;
  status?: number;
  requestId?: string;
  error?: unknown;
  /** How long the call waits before its next try; absent after the last. */
  retryInMs?: number;
}

/**
 * How an operation is called: method, path, and letters for what else it needs. `k` takes an Idempotency-Key · `i` takes
 * a JSON body, `r` bytes or a form, then `q` a query · `l` answers a list · `c` goes on by cursor, `o` by offset · `b` answers
 * without `data` around it · `d` deletes, and answers no more than that it did · `s` answers a file, `e` events without an end · `p` is called by portal clients, `m` by the staff app.
 */
export type Operation = readonly [method: string, path: string, flags: string];

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
/** Who is asked to wait longer than this would rather know. */
const RETRY_AFTER_SECONDS_MAX = 60;

interface Prepared {
  operation: Operation;
  name: string;
  url: string;
  init: RequestInit;
  options: CallOptions;
  key: string | undefined;
  /** Whether a second try can do no harm. */
  isSafe: boolean;
}

/** What is made of an answer within its try. */
type Take<Taken extends object> = (response: Response) => Promise<Taken>;
interface Answered {
  /** What the operation gives; a file is the answer itself. */
  data: unknown;
  response: Response;
}

interface Try {
  number: number;
  isLast: boolean;
  /** Whether the platform has refused the token of an earlier one. */
  isRefused: boolean;
  /** Whether an earlier one has no answer that tells what came of it. */
  mayBeDone: boolean;
}

/** That there is to be another try. */
interface Again {
  waitMs: number;
  mayBeDone: boolean;
}

/** By chance no other; `crypto.randomUUID` is missing in a page without TLS. */
const newKey = (): string => `auto-${crypto.getRandomValues(new Uint8Array(16)).join('-')}`;

/** A new token was asked for; there is nothing to wait for. */
const AT_ONCE = 0;

export class Http {
  constructor(readonly options: LaurelOptions) {
    const isBrowser = 'document' in globalThis;
    if (isBrowser && options.token !== undefined && !options.dangerouslyAllowBrowser)
      throw new TypeError(
        'everybody can read a token in a page; dangerouslyAllowBrowser allows it',
      );
  }

  /** @returns an answer that is no refusal, its body unread */
  async call(name: string, operation: Operation, given: readonly unknown[]): Promise<Response> {
    return this.tried(this.prepare(name, operation, given), async (response) => response);
  }

  /**
   * An answer that is no refusal, with what it gives. One that breaks off, or that is none of the platform's, is no answer:
   * the call is tried again under its key.
   */
  async ask(name: string, operation: Operation, given: readonly unknown[]): Promise<Answered> {
    const flags = operation[2];
    return this.tried(this.prepare(name, operation, given), async (response) => {
      if (flags.includes('s')) return { data: response, response };
      const text = await response.text();
      const body = text ? JSON.parse(text) : undefined;
      return { data: /[bl]/.test(flags) ? body : body?.data, response };
    });
  }

  private async tried<Taken extends object>(prepared: Prepared, take: Take<Taken>): Promise<Taken> {
    const tries = 1 + (prepared.options.retries ?? this.options.retries ?? RETRIES);
    let isRefused = false;
    let mayBeDone = false;
    for (let number = 1; ; number += 1) {
      const tried: Try = { number, isLast: number >= tries, isRefused, mayBeDone };
      const outcome: Taken | Again = await this.attempt(prepared, take, tried);
      if (!('waitMs' in outcome)) return outcome;
      isRefused ||= outcome.waitMs === AT_ONCE;
      mayBeDone ||= outcome.mayBeDone;
      await pause(outcome.waitMs, prepared.options.signal);
    }
  }

  private prepare(name: string, operation: Operation, given: readonly unknown[]): Prepared {
    const [method, path, flags] = operation;
    const rest = [...given];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    const ids = names
      .filter((one) => one !== 'workspaceId')
      .map((one) => [one, rest.shift()] as const);
    const input = /[ir]/.test(flags) ? rest.shift() : undefined;
    const query = flags.includes('q') ? rest.shift() : undefined;
    const options = (rest.shift() ?? {}) as CallOptions;
    const values: Record<string, unknown> = Object.fromEntries(ids);
    values.workspaceId = options.workspace ?? this.options.workspace;
    const url = addressOf(this.options.baseUrl, path, { values, query });
    // One key for all tries: a repeat after a lost answer gets the first answer and books nothing twice.
    const key = flags.includes('k') ? (options.idempotencyKey ?? newKey()) : undefined;
    const isRaw = flags.includes('r');
    const body = input === undefined || isRaw ? input : JSON.stringify(input);
    const headers = {
      Accept: 'application/json, */*',
      ...(body === undefined || isRaw ? {} : { 'Content-Type': 'application/json' }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...this.options.headers,
      ...options.headers,
    };
    const init = {
      method,
      headers,
      ...(body === undefined ? {} : { body: body as RequestInit['body'] }),
    };
    return {
      operation,
      name,
      url,
      init,
      options,
      key,
      isSafe: method !== 'POST' || key !== undefined,
    };
  }

  /** @returns what was made of the answer, or how long to wait before the next try */
  private async attempt<Taken extends object>(
    { operation, name, url, init, options, key, isSafe }: Prepared,
    take: Take<Taken>,
    tried: Try,
  ): Promise<Taken | Again> {
    const { number, isLast, isRefused, mayBeDone } = tried;
    const started = Date.now();
    const tell = (seen: Partial<Attempt>) =>
      this.options.onAttempt?.({ operation: name, url, number, ms: Date.now() - started, ...seen });
    const timeoutMs = options.timeoutMs ?? this.options.timeoutMs ?? TIMEOUT_MS;
    const [limit, lift] = limitOf(timeoutMs, /[se]/.test(operation[2]));
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    let response: Response;
    let taken: Taken | undefined;
    try {
      const headers = { ...init.headers, ...(await this.credential(operation, isRefused)) };
      response = await (this.options.fetch ?? fetch)(url, { ...init, headers, signal }).finally(
        lift,
      );
      if (response.ok) taken = await take(response);
    } catch (error) {
      // What is refused before a call goes out is what asked for its token.
      if (options.signal?.aborted || isLaurelError(error)) throw error;
      if (isLast || !isSafe) {
        tell({ error });
        const words = `${name} at ${new URL(url).origin}: ${wordsOf(error)}`;
        throw new ConnectionError(words, key, { cause: error });
      }
      const retryInMs = backoffMs(number);
      tell({ error, retryInMs });
      return { waitMs: retryInMs, mayBeDone: true };
    }
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const { status } = response;
    const answered = { status, ...(requestId === undefined ? {} : { requestId }) };
    if (response.ok) {
      tell(answered);
      return taken as Taken;
    }
    const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined;
    const retryInMs = this.waitMs(status, retryAfterSeconds, { isSafe, ...tried });
    if (retryInMs === undefined) {
      tell(answered);
      const problems = problemsOf(await response.json().catch(() => null), status);
      // Of a refusal that is final nothing has happened; of one for now it may have, in this try or an earlier one.
      const isOpen = isTransient(status, retryAfterSeconds) || (mayBeDone && status === 401);
      const idempotencyKey = isOpen ? key : undefined;
      const refusal = { status, problems, requestId, retryAfterSeconds, idempotencyKey };
      const error = new LaurelError(refusal);
      if (!mayBeDone || key !== undefined) throw error;
      return take(settleRepeat(error, { name, method: operation[0], flags: operation[2] }));
    }
    tell({ ...answered, retryInMs });
    await response.body?.cancel();
    return { waitMs: retryInMs, mayBeDone: status >= 500 || status === 408 };
  }

  /** How long to wait before a refused call is tried again; undefined where it is not. */
  private waitMs(
    status: number,
    retryAfterSeconds: number | undefined,
    { number, isLast, isRefused, isSafe }: Try & { isSafe: boolean },
  ): number | undefined {
    if (status === 401 && typeof this.options.token === 'function' && !isRefused) return AT_ONCE;
    const mayRepeat = isTransient(status, retryAfterSeconds) && (isSafe || status === 429);
    if (isLast || !mayRepeat) return undefined;
    if (retryAfterSeconds === undefined) return backoffMs(number);
    return retryAfterSeconds > RETRY_AFTER_SECONDS_MAX ? undefined : retryAfterSeconds * 1_000;
  }

  private async credential(
    [, , flags]: Operation,
    isRefused: boolean,
  ): Promise<Record<string, string>> {
    const { token, clientToken, staffToken } = this.options;
    if (flags.includes('p')) return clientToken ? { 'x-client-token': clientToken } : {};
    if (flags.includes('m')) return staffToken ? { 'X-Mobile-Token': staffToken } : {};
    const bearer = typeof token === 'function' ? await token(isRefused) : token;
    return bearer ? { Authorization: `Bearer ${bearer}` } : {};
  }
}

/**
 * 409 with Retry-After: the same key is on its way in another call. 408: a server, or a proxy before it, did not hear all
 * of the call in time. Other refusals are final.
 */
function isTransient(status: number, retryAfterSeconds: number | undefined): boolean {
  if (status === 409) return retryAfterSeconds !== undefined;
  return status === 408 || status === 429 || status >= 500;
}

/** What `fetch` says is always the same; why it failed, such as ECONNREFUSED, is the code of its cause. */
function wordsOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: unknown } | null };
  if (name === 'TimeoutError') return 'no answer in time';
  const code = cause?.code;
  return typeof code === 'string' ? `${message} (${code})` : message;
}
