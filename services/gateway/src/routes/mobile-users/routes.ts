import {
  bare,
  data,
  del,
  get,
  member,
  message,
  patch,
  post,
  type Route,
  versioned,
} from '../../routing';
import { messageOnly } from '../auth/schema';
import { presentLinkableUser, presentMobileUser, presentSession } from './present';
import * as schema from './schema';

const tag = 'Mobile app users';

/** Who may use the staff app (part 2, Mobile app users). */
export const mobileUserRoutes: Route[] = [
  get(':ws/mobile-app-users', {
    stack: member(),
    tag,
    summary: 'List app users, newest first',
    description: 'search looks into names, e-mail addresses and phone numbers.',
    query: schema.listMobileUsers,
    reply: schema.mobileUsers,
    handle: async ({ rpc, workspaceId, query: { offset = 0, ...query } }) => {
      const request = { workspace_id: workspaceId, offset, ...query };
      const { data: users, total } = await rpc.identity.ListMobileUsers(request);
      return data(users.map(presentMobileUser), { total, limit: query.limit, offset });
    },
  }),
  post(':ws/mobile-app-users', {
    stack: member(),
    tag,
    summary: 'Add an app user',
    description:
      'Somebody of the staff who needs no account: an e-mail address or a phone number will do, each once in a workspace. They are `pending` until a device is paired.',
    body: schema.createMobileUser,
    status: 201,
    reply: schema.mobileUser,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { workspace_id: workspaceId, ...body };
      return data(presentMobileUser(await rpc.identity.CreateMobileUser(request)));
    },
  }),
  post(':ws/mobile-app-users/from-workspace-user', {
    stack: member(),
    tag,
    summary: 'Add a member of the workspace as app user',
    description:
      'Somebody of the team who uses the app under their own role; name and address are copied. One app user for each member: 409 `already_linked`.',
    body: schema.fromWorkspaceUser,
    status: 201,
    reply: schema.mobileUser,
    handle: async ({ rpc, workspaceId, body: { workspace_user_id } }) => {
      const request = { workspace_id: workspaceId, user_id: workspace_user_id };
      return data(presentMobileUser(await rpc.identity.CreateMobileUserFromMember(request)));
    },
  }),
  get(':ws/mobile-app-users/:userId', {
    stack: member(),
    tag,
    summary: 'Read an app user',
    versioned: true,
    description: 'The person, their status, and when a device was paired and used last.',
    reply: schema.mobileUser,
    handle: async ({ rpc, workspaceId, params: { userId } }) => {
      const request = { workspace_id: workspaceId, id: userId };
      return versioned(await rpc.identity.GetMobileUser(request), presentMobileUser);
    },
  }),
  patch(':ws/mobile-app-users/:userId', {
    stack: member(),
    tag,
    summary: 'Change an app user; a suspended one is out at once',
    versioned: true,
    description:
      'Fields that are left out stay. With status `suspended` every device of theirs is refused from the next request on.',
    body: schema.updateMobileUser,
    reply: schema.mobileUser,
    handle: async ({ rpc, workspaceId, params: { userId }, body }) => {
      const request = { workspace_id: workspaceId, id: userId, ...body };
      return versioned(await rpc.identity.UpdateMobileUser(request), presentMobileUser);
    },
  }),
  del(':ws/mobile-app-users/:userId', {
    stack: member(),
    tag,
    summary: 'Remove an app user with sessions and pairing codes',
    versioned: true,
    description: 'Every device of theirs is out at once; what they did stays done.',
    wrapped: false,
    reply: messageOnly,
    handle: async ({ rpc, workspaceId, params: { userId } }) => {
      await rpc.identity.DeleteMobileUser({ workspace_id: workspaceId, id: userId });
      return message('the app user is removed');
    },
  }),
  post(':ws/mobile-app-users/:userId/send-pairing-code', {
    stack: member(),
    tag,
    summary: 'Make a pairing code and send it; the user’s earlier code stops working',
    description:
      'Six digits, good for ten minutes. With delivery_method `none` the answer has the code, to be read out; five codes an hour for each person.',
    body: schema.sendCode,
    wrapped: false,
    reply: schema.sentCode,
    idempotent: false,
    handle: async ({ rpc, workspaceId, params: { userId }, body }) => {
      const request = { workspace_id: workspaceId, id: userId, ...body };
      const sent = await rpc.identity.SendPairingCode(request);
      const text = sent.code === undefined ? 'the code is on its way' : 'hand this code over';
      return bare({ message: text, ...sent });
    },
  }),
  get(':ws/mobile-app-users/:userId/sessions', {
    stack: member(),
    tag,
    summary: 'List the sessions of an app user, most recently active first',
    description: 'Which devices somebody has, to revoke the one that was lost.',
    reply: schema.sessions,
    handle: async ({ rpc, workspaceId, params: { userId } }) => {
      const request = { workspace_id: workspaceId, id: userId };
      const { data: sessions } = await rpc.identity.ListMobileSessions(request);
      return data(sessions.map(presentSession));
    },
  }),
  del(':ws/mobile-app-users/:userId/sessions/:sessionId', {
    stack: member(),
    tag,
    summary: 'Revoke a session of an app user',
    description: 'The device is out from the next request on and has to be paired again.',
    wrapped: false,
    reply: messageOnly,
    handle: async ({ rpc, workspaceId, params: { userId, sessionId } }) => {
      const request = {
        workspace_id: workspaceId,
        mobile_user_id: userId,
        session_id: sessionId,
      };
      await rpc.identity.RevokeMobileSession(request);
      return message('the session is revoked');
    },
  }),
  get(':ws/linkable-users', {
    stack: member(),
    tag,
    summary: 'List the members of the workspace that no app user is linked to',
    description:
      'For a list to choose from, when a member of the team shall use the app under their own role.',
    reply: schema.linkableUsers,
    handle: async ({ rpc, workspaceId }) => {
      const request = { workspace_id: workspaceId };
      const { data: users } = await rpc.identity.ListLinkableUsers(request);
      return data(users.map(presentLinkableUser));
    },
  }),
];
