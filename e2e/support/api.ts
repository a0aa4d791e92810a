/** The platform under test; `npm test` starts one and says where it is. */
export function baseUrl(): string {
  const url = process.env.LAUREL_BASE_URL;
  if (!url)
    throw new Error(
      'LAUREL_BASE_URL is not set: run the end-to-end tests with npm test -- --only e2e',
    );
  return url;
}

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they are about to check
  body: any;
  text: string;
}

export interface CallOptions {
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
  query?: Record<string, string | number | boolean>;
}

/** One HTTP call. Paths are written as in the spec: `/events` sits under /service-api, `!/auth/login` at the root. */
export async function call(
  method: string,
  path: string,
  { body, token, headers = {}, query = {} }: CallOptions = {},
): Promise<Reply> {
  const url = new URL(path.startsWith('!') ? path.slice(1) : `/service-api${path}`, baseUrl());
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const isForm = body instanceof FormData;
  const response = await fetch(url, {
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
  const text = await response.text();
  let parsed: unknown = text;
  try {
    parsed = text === '' ? undefined : JSON.parse(text);
  } catch {
    // Not every answer is JSON; the text is there for those.
  }
  return { status: response.status, headers: response.headers, body: parsed, text };
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

export function callerFor(token: string, workspaceId: string): Caller {
  const send = (method: string, path: string, options: CallOptions): Promise<Reply> =>
    call(method, path.replace(/^:ws/, `/workspace/${workspaceId}`), { token, ...options });
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
