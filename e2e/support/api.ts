import { Laurel, type LaurelOptions } from '@laurel/client';
import { type Contract, contractOf } from './contract';

/** The gateways of the platform under test; `npm test` starts them and says where they are. */
export function gateways(): readonly string[] {
  const urls = process.env.LAUREL_BASE_URLS;
  if (!urls)
    throw new Error(
      'LAUREL_BASE_URLS is not set: run the end-to-end tests with npm test -- --only e2e',
    );
  return urls.split(',');
}

let turn = 0;

/** One gateway after the other, so that what a test reads is never answered by the one it wrote through. */
function nextGateway(): string {
  const urls = gateways();
  turn += 1;
  return urls[turn % urls.length]!;
}

/** Every call comes from somewhere else, as it does in life: the limits per address are at their defaults here. */
export function newAddress(): string {
  return `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;
}

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they are about to check
  body: any;
  text: string;
  bytes: Buffer;
}

export interface CallOptions {
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
  query?: Record<string, string | number | boolean>;
  /** Where one of `gateways()` is meant; else they take turns. */
  gateway?: string | undefined;
}

/** One HTTP call. Paths are written as in the spec: `/events` sits under /service-api, `!/auth/login` at the root. */
export async function call(
  method: string,
  path: string,
  { body, token, headers = {}, query = {}, gateway = nextGateway() }: CallOptions = {},
): Promise<Reply> {
  const url = new URL(path.startsWith('!') ? path.slice(1) : `/service-api${path}`, gateway);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const isForm = body instanceof FormData;
  const { response, bytes, text, parsed } = await ask(url, {
    method,
    headers: {
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: isForm ? body : typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, body: parsed, text, bytes };
}

const PATIENCE_MS = 60_000;

/** See scripts/jest-plain-globals.cjs: to read the document and make its checks takes as long as a short file of tests. */
declare const leftForFiles: Map<string, Promise<Contract>>;

function contractAt(url: string): Promise<Contract> {
  const contract = leftForFiles.get(url) ?? contractOf(url);
  leftForFiles.set(url, contract);
  return contract;
}

/** Every answer that a test gets, whichever caller asked, is one that the platform's own document describes. */
async function ask(url: URL, init: RequestInit & { method: string }) {
  const { method, headers } = init;
  const own = { 'X-Forwarded-For': newAddress(), ...(headers as Record<string, string>) };
  const response = await fetch(url, { ...init, headers: own });
  const bytes = Buffer.from(await response.clone().arrayBuffer());
  const text = bytes.toString();
  let parsed: unknown = text;
  try {
    parsed = text === '' ? undefined : JSON.parse(text);
  } catch {
    // Not every answer is JSON; the text is there for those.
  }
  const { status, headers: answered } = response;
  const { pathname: path } = url;
  const contract = await contractAt(gateways()[0]!);
  const answer = { method, path, status, headers: answered, body: parsed, text };
  const deviation = contract.deviation(answer);
  if (deviation) throw new Error(`${method} ${path} contradicts /openapi.json: ${deviation}`);
  return { response, bytes, text, parsed };
}

/**
 * The platform as programs of its customers reach it, for what a test needs and is not about. Nothing is tried twice: what
 * comes about at the second try only is for a test to find.
 *
 * @param gateway Sends everything through this one of `gateways()`; else they take turns.
 */
export function laurelFor(options: Partial<LaurelOptions> = {}, gateway?: string): Laurel {
  const through: typeof fetch = async (asked, init) => {
    const { pathname, search } = new URL(String(asked));
    const url = new URL(pathname + search, gateway ?? nextGateway());
    return (await ask(url, init as RequestInit & { method: string })).response;
  };
  // A busy machine may take its time: how long a test may take is for its runner to say.
  const patience = { retries: 0, timeoutMs: PATIENCE_MS };
  return new Laurel({ baseUrl: gateways()[0]!, ...patience, fetch: through, ...options });
}

/** Calls as one user inside one workspace: `:ws` in a path stands for it. */
export interface Caller {
  token: string;
  workspaceId: string;
  /** For what a test is not about: it gives what was answered, and throws where that is a refusal. */
  laurel: Laurel;
  get(path: string, query?: CallOptions['query']): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  put(path: string, body?: unknown): Promise<Reply>;
  patch(path: string, body?: unknown): Promise<Reply>;
  del(path: string, body?: unknown): Promise<Reply>;
}

/** @param gateway Sends everything through this one of `gateways()`. */
export function callerFor(token: string, workspaceId: string, gateway?: string): Caller {
  const send = (method: string, path: string, options: CallOptions): Promise<Reply> =>
    call(method, path.replace(/^:ws/, `/workspace/${workspaceId}`), {
      token,
      gateway,
      ...options,
    });
  return {
    token,
    workspaceId,
    laurel: laurelFor({ token, workspace: workspaceId }, gateway),
    get: (path, query = {}) => send('GET', path, { query }),
    post: (path, body = {}, headers = {}) => send('POST', path, { body, headers }),
    put: (path, body = {}) => send('PUT', path, { body }),
    patch: (path, body = {}) => send('PATCH', path, { body }),
    del: (path, body) => send('DELETE', path, body === undefined ? {} : { body }),
  };
}
