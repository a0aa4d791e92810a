import {
  data,
  del,
  get,
  member,
  message,
  patch,
  post,
  type Route,
  user,
  versioned,
} from '../../routing';
import { messageOnly } from '../auth/schema';
import { presentClock, presentClone, presentWorkspace } from './present';
import * as schema from './schema';

const tag = 'Workspaces';

/** Workspaces and their roles (part 3, section 2). */
export const workspaceRoutes: Route[] = [
  get('/workspaces', {
    stack: user(),
    tag,
    summary: 'List your workspaces with your role in each',
    reply: schema.workspaces,
    handle: async ({ rpc, caller }) => {
      const { data: workspaces } = await rpc.identity.ListWorkspaces({ user_id: caller.userId! });
      const boundTo = caller.grant?.workspaceId ?? null;
      const shown = workspaces.filter(({ id }) => boundTo === null || id === boundTo);
      return data(shown.map((each) => ({ ...presentWorkspace(each), role: each.role })));
    },
  }),
  post('/workspaces', {
    stack: user(),
    tag,
    summary: 'Open a workspace; you become its admin and creator',
    body: schema.createWorkspace,
    status: 201,
    reply: schema.workspace,
    handle: async ({ rpc, caller, body }) => {
      const request = { user_id: caller.userId!, ...body };
      return data(presentWorkspace(await rpc.identity.CreateWorkspace(request)));
    },
  }),
  get(':ws', {
    stack: member(),
    tag,
    summary: 'Read a workspace',
    versioned: true,
    reply: schema.workspaceWithZone,
    handle: async ({ rpc, workspaceId }) => {
      const workspace = await rpc.identity.GetWorkspace({ workspace_id: workspaceId });
      return versioned(workspace, (row) => ({ ...presentWorkspace(row), timezone: row.timezone }));
    },
  }),
  patch(':ws', {
    stack: member({ permission: 'manage_workspace' }),
    tag,
    summary: 'Rename a workspace or change its slug',
    versioned: true,
    body: schema.updateWorkspace,
    reply: schema.workspace,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { workspace_id: workspaceId, ...body };
      return versioned(await rpc.identity.UpdateWorkspace(request), presentWorkspace);
    },
  }),
  del(':ws', {
    stack: member(),
    tag,
    summary: 'Delete a workspace with everything in it; its creator only',
    body: schema.deleteWorkspace,
    wrapped: false,
    reply: messageOnly,
    handle: async ({ rpc, workspaceId, caller, body: { confirm_slug } }) => {
      const request = { workspace_id: workspaceId, user_id: caller.userId!, confirm_slug };
      await rpc.identity.DeleteWorkspace(request);
      return message('the workspace is deleted');
    },
  }),
  get(':ws/clock', {
    stack: member(),
    tag,
    summary: 'Read the clock of a workspace, and of a sandbox how far its last advance has come',
    reply: schema.clock,
    handle: async ({ rpc, workspaceId }) =>
      data(presentClock(await rpc.identity.GetClock({ workspace_id: workspaceId }))),
  }),
  post(':ws/clock/advance', {
    stack: member({ permission: 'manage_workspace' }),
    tag,
    summary: 'Move the clock of a sandbox forward; everything due until then is done, in order',
    body: schema.advanceClock,
    status: 202,
    reply: schema.clock,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { workspace_id: workspaceId, to: body.to };
      return data(presentClock(await rpc.identity.AdvanceClock(request)));
    },
  }),
  post(':ws/clone', {
    stack: member({ permission: 'manage_workspace' }),
    tag,
    summary: 'Make a workspace that is set up like this one; you become its admin and creator',
    body: schema.cloneWorkspace,
    status: 202,
    reply: schema.workspaceClone,
    handle: async ({ rpc, workspaceId, caller, body: { anonymised: _always, ...wanted } }) => {
      const request = { workspace_id: workspaceId, user_id: caller.userId!, ...wanted };
      return data(presentClone(await rpc.identity.CloneWorkspace(request)));
    },
  }),
  get(':ws/clone/:id', {
    stack: member({ permission: 'manage_workspace' }),
    tag,
    summary: 'Read how far a clone of this workspace has come',
    reply: schema.workspaceClone,
    handle: async ({ rpc, workspaceId, params }) =>
      data(presentClone(await rpc.identity.GetClone({ workspace_id: workspaceId, id: params.id }))),
  }),
  get(':ws/roles', {
    stack: member(),
    tag,
    summary: 'List the roles of a workspace with their permissions',
    reply: schema.roles,
    handle: async ({ rpc, workspaceId }) =>
      data((await rpc.identity.ListRoles({ workspace_id: workspaceId })).data),
  }),
];
