import type {
  ClientsCreateBody,
  StaffAppConfigCreateActionBody,
  StaffAppConfigCreateBody,
} from '@laurel/client';
import { type Caller, call, laurelFor, type Reply } from './api';
import { newClient, uniqueEmail } from './factories';
import { type IssuedPass, passOn } from './passes';

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
  const { staffUsers } = workspace.laurel;
  const user = await (linkTo
    ? staffUsers.createFromMember({ workspace_user_id: linkTo.id })
    : staffUsers.create({ email: uniqueEmail('staff') }));
  const { code } = await staffUsers.sendPairingCode(user.id, { delivery_method: 'none' });
  const { access_token: token } = await laurelFor().staffApp.pair({
    identifier: user.email!,
    code: code!,
  });
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
  pass: IssuedPass;
  client: { id: string; email: string };
  projectId: string;
}

export async function newProject({ laurel }: Caller): Promise<string> {
  return (await laurel.projects.create({ name: 'Shop' })).id;
}

/** Somebody with a pass, in a project of its own unless one is named. */
export async function newHolder(
  workspace: Caller,
  {
    person = {},
    projectId,
    clientId,
  }: { person?: ClientsCreateBody; projectId?: string; clientId?: string } = {},
): Promise<Holder> {
  const project_id = projectId ?? (await newProject(workspace));
  const { laurel } = workspace;
  const design = { name: 'Card', project_id, pass_type: 'LOYALTY' } as const;
  const template = await laurel.passTemplates.create(design);
  const client = clientId
    ? { id: clientId, email: '' }
    : await newClient(workspace, { loyalty_program_enabled: true, ...person });
  const pass = await passOn(workspace, template, { client_id: client.id });
  return { pass, client, projectId: project_id };
}

/** The admin's role and the member's. */
export const rolesOf = ({ laurel }: Caller) => laurel.workspaces.listRoles();

/** A staff app with the four actions that each has from the start. */
export const newApp = ({ laurel }: Caller, body: StaffAppConfigCreateBody = {}) =>
  laurel.staffAppConfig.create(body);

export const newAction = (
  { laurel }: Caller,
  body: Omit<StaffAppConfigCreateActionBody, 'name'> & { name?: string },
) => laurel.staffAppConfig.createAction({ name: 'Action', ...body });
