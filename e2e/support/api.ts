import { type Answer, type Contract, contractOf } from './contract';

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
  const response = await fetch(url, {
    method,
    headers: {
      'X-Forwarded-For': newAddress(),
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: isForm ? body : typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  let parsed: unknown = text;
  try {
    parsed = text === '' ? undefined : JSON.parse(text);
  } catch {
    // Not every answer is JSON; the text is there for those.
  }
  const { status, headers: answered } = response;
  await insistOnContract({
    method,
    path: url.pathname,
    status,
    headers: answered,
    body: parsed,
    text,
  });
  return { status, headers: answered, body: parsed, text, bytes };
}

let contract: Promise<Contract> | undefined;

/** Every answer that a test gets is one that the platform's own document describes. */
async function insistOnContract(answer: Answer): Promise<void> {
  contract ??= contractOf(gateways()[0]!);
  const deviation = (await contract).deviation(answer);
  if (deviation)
    throw new Error(`${answer.method} ${answer.path} contradicts /openapi.json: ${deviation}`);
}

/** Calls as one user inside one workspace: `:ws` in a path stands for it. */
export interface Caller {
  token: string;
  workspaceId: string;
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
    get: (path, query = {}) => send('GET', path, { query }),
    post: (path, body = {}, headers = {}) => send('POST', path, { body, headers }),
    put: (path, body = {}) => send('PUT', path, { body }),
    patch: (path, body = {}) => send('PATCH', path, { body }),
    del: (path, body) => send('DELETE', path, body === undefined ? {} : { body }),
  };
}
