import type { ClientsCreateBody, PortalConfigSetBody } from '@laurel/client';
import { call, laurelFor, type Reply } from './api';
import { newClient, newWorkspace, type TestWorkspace } from './factories';

/** A reply as it is compared: status and body, whole. */
export const answer = ({ status, body }: Reply): unknown[] => [status, body];

export interface PortalCaller {
  token: string;
  get(path: string, query?: Record<string, string | number>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** Calls /public/loyalty as one client. */
export function portalCaller(token: string, gateway?: string): PortalCaller {
  const send = (method: string, path: string, options: object): Promise<Reply> =>
    call(method, `/public/loyalty${path}`, { gateway, ...options });
  return {
    token,
    get: (path, query = {}) => send('GET', path, { query, headers: { 'x-client-token': token } }),
    post: (path, body = {}, headers = {}) =>
      send('POST', path, { body, headers: { 'x-client-token': token, ...headers } }),
  };
}

/** A workspace whose portal is on. */
export async function newPortal(config: PortalConfigSetBody = {}): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.laurel.portalConfig.set({ is_enabled: true, ...config });
  return workspace;
}

export const openSession = (workspace: TestWorkspace, clientId: string): Promise<Reply> =>
  call('POST', '/public/loyalty/session', {
    body: { workspace_slug: workspace.slug, client_id: clientId },
  });

/** A client who is signed in to the portal. */
export async function newCustomer(
  workspace: TestWorkspace,
  overrides: ClientsCreateBody = {},
): Promise<PortalCaller & { id: string; email: string }> {
  const { id, email } = await newClient(workspace, { loyalty_program_enabled: true, ...overrides });
  const session = { workspace_slug: workspace.slug, client_id: id };
  const { token } = await laurelFor().portal.createSession(session);
  return { id, email, ...portalCaller(token) };
}
