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
    description: 'Those in which you are a member, whatever your role.',
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
    description:
      'The slug is made from the name where you give none. A sandbox has a clock that can be moved and ends by itself; how many of them somebody may have is limited.',
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
    description:
      'Name, address part and time zone. Everything else of it has an operation of its own.',
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
    description:
      'The slug stands in the address of the portal, so links that people have end with the old one; 409 `slug_taken`. For admins.',
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
    description:
      'There is no way back: every service removes what it holds, cards end on the phones. confirm_slug must be its slug, and nobody but the creator may do it.',
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
    description:
      'In an ordinary workspace it is the time of day. `status` is `advancing` while work is caught up after an advance.',
    reply: schema.clock,
    handle: async ({ rpc, workspaceId }) =>
      data(presentClock(await rpc.identity.GetClock({ workspace_id: workspaceId }))),
  }),
  post(':ws/clock/advance', {
    stack: member({ permission: 'manage_workspace' }),
    tag,
    summary: 'Move the clock of a sandbox forward; everything due until then is done, in order',
    description:
      'For tests of a programme: expiry, holds, tiers and timed rules until then are worked off in the background; read the clock until `status` is ready. Forward only, one at a time, and refused with 409 in any workspace that is no sandbox.',
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
    description:
      'Copies what is set up, in the background, and members only as far as asked and anonymised. Try a change there before it is made here; one at a time for each workspace.',
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
    description:
      'Poll it until status says that it is done; the id of the new workspace is the id of the clone.',
    reply: schema.workspaceClone,
    handle: async ({ rpc, workspaceId, params }) =>
      data(presentClone(await rpc.identity.GetClone({ workspace_id: workspaceId, id: params.id }))),
  }),
  get(':ws/roles', {
    stack: member(),
    tag,
    summary: 'List the roles of a workspace with their permissions',
    description:
      'Their ids are what allowed_role_ids of the staff app name; they stay the same for the life of the workspace.',
    reply: schema.roles,
    handle: async ({ rpc, workspaceId }) =>
      data((await rpc.identity.ListRoles({ workspace_id: workspaceId })).data),
  }),
];
