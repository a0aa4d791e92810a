import { type Caller, call, type Reply } from './api';
import { expectStatus, newClient, uniqueEmail } from './factories';

/** The staff app on one device. */
export interface Device {
  token: string;
  userId: string;
  get(path: string, query?: Record<string, string | number>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Runs an action on a pass. */
  run(actionId: string, passId: string, data?: object, key?: string): Promise<Reply>;
}

/** A new app user on a paired device; of the member role unless it is linked to somebody. */
export async function newDevice(workspace: Caller, linkTo?: { id: string }): Promise<Device> {
  const users = ':ws/mobile-app-users';
  const added = linkTo
    ? workspace.post(`${users}/from-workspace-user`, { workspace_user_id: linkTo.id })
    : workspace.post(users, { email: uniqueEmail('staff') });
  const user = expectStatus(await added, 201).body.data;
  const sent = await workspace.post(`${users}/${user.id}/send-pairing-code`, {
    delivery_method: 'none',
  });
  const { code } = expectStatus(sent, 200).body;
  const paired = await call('POST', '/mobile-app/auth/pair', {
    body: { identifier: user.email, code },
  });
  const token = expectStatus(paired, 200).body.data.access_token;
  const at = (path: string) => path.replace(/^:ws/, `/workspace/${workspace.workspaceId}`);
  const own = { 'X-Mobile-Token': token };
  const post: Device['post'] = (path, body = {}, headers = {}) =>
    call('POST', at(path), { body, headers: { ...own, ...headers } });
  return {
    token,
    userId: user.id,
    get: (path, query = {}) => call('GET', at(path), { query, headers: own }),
    post,
    run: (actionId, passId, data, key) =>
      post(
        `/mobile-app-actions/${actionId}/execute`,
        { pass_id: passId, ...(data === undefined ? {} : { data }) },
        key === undefined ? {} : { 'Idempotency-Key': key },
      ),
  };
}

export interface Holder {
  pass: { id: string; barcode_value: string; project_id: string };
  client: { id: string; email: string };
  projectId: string;
}

export async function newProject(workspace: Caller): Promise<string> {
  return expectStatus(await workspace.post(':ws/projects', { name: 'Shop' }), 201).body.data.id;
}

/** Somebody with a pass, in a project of its own unless one is named. */
export async function newHolder(
  workspace: Caller,
  {
    person = {},
    projectId,
    clientId,
  }: { person?: object; projectId?: string; clientId?: string } = {},
): Promise<Holder> {
  const project = projectId ?? (await newProject(workspace));
  const template = await workspace.post(':ws/pass-templates', {
    name: 'Card',
    project_id: project,
    pass_type: 'LOYALTY',
  });
  const client = clientId
    ? { id: clientId, email: '' }
    : await newClient(workspace, { loyalty_program_enabled: true, ...person });
  const pass = await workspace.post(':ws/passes', {
    project_id: project,
    pass_template_id: expectStatus(template, 201).body.data.id,
    client_id: client.id,
  });
  return { pass: expectStatus(pass, 201).body.data, client, projectId: project };
}

/** The admin's role and the member's. */
export async function rolesOf(workspace: Caller): Promise<{ id: string; name: string }[]> {
  return expectStatus(await workspace.get(':ws/roles'), 200).body.data;
}

/** A staff app with the four actions that each has from the start. */
export async function newApp(workspace: Caller, body: object = {}) {
  return expectStatus(await workspace.post(':ws/mobile-app-config', body), 201).body.data;
}

export async function newAction(workspace: Caller, body: object) {
  const reply = await workspace.post(':ws/mobile-app-config/actions', { name: 'Action', ...body });
  return expectStatus(reply, 201).body.data;
}
