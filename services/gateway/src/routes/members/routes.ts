import {
  bare,
  del,
  get,
  member,
  message,
  patch,
  post,
  type Route,
  withStatus,
} from '../../routing';
import { messageOnly } from '../auth/schema';
import { presentMember } from './present';
import * as schema from './schema';

const tag = 'Members';

/** Who belongs to a workspace (part 2, Members). */
export const memberRoutes: Route[] = [
  get(':ws/members', {
    stack: member(),
    tag,
    summary: 'List the members of a workspace',
    description: 'The team with roles, who joined when, and when each was last active.',
    wrapped: false,
    reply: schema.members,
    handle: async ({ rpc, workspaceId }) => {
      const { members } = await rpc.identity.ListMembers({ workspace_id: workspaceId });
      return bare({ members: members.map(presentMember) });
    },
  }),
  post(':ws/members', {
    stack: member({ permission: 'manage_members' }),
    tag,
    summary: 'Make a user a member; 200 for one who is already',
    description:
      'For somebody who has an account already; whoever has none is invited by mail. Nothing changes for a member, least of all their role. Needs the permission manage_members.',
    body: schema.addMember,
    status: 201,
    alsoAnswers: { 200: 'reply' },
    wrapped: false,
    reply: schema.addedMember,
    handle: async ({ rpc, workspaceId, caller, body }) => {
      const added = await rpc.identity.AddMember({
        workspace_id: workspaceId,
        ...body,
        caller_id: caller.userId!,
      });
      const { already_member, ...row } = added;
      const text = already_member ? 'the user is a member already' : 'the user is a member now';
      return withStatus(
        bare({ message: text, member: row, already_member }),
        already_member ? 200 : 201,
      );
    },
  }),
  del(':ws/members/:userId', {
    stack: member({ permission: 'remove_members' }),
    tag,
    summary: 'Remove a member; not yourself, not the creator',
    description:
      'They lose the workspace at once, and their account stays; invitations that they sent and that are open end. A workspace keeps one admin at least. Needs the permission remove_members.',
    wrapped: false,
    reply: messageOnly,
    handle: async ({ rpc, workspaceId, caller, params: { userId } }) => {
      const request = { workspace_id: workspaceId, user_id: userId, caller_id: caller.userId! };
      await rpc.identity.RemoveMember(request);
      return message('the member is removed');
    },
  }),
  patch(':ws/members/:userId/role', {
    stack: member({ permission: 'manage_members' }),
    tag,
    summary: 'Give a member another role; not yourself',
    description:
      'Counts from the next request of that member on; open invitations of an admin who becomes a member end. The last admin keeps the role. Needs the permission manage_members.',
    body: schema.changeRole,
    wrapped: false,
    reply: schema.changedRole,
    handle: async ({ rpc, workspaceId, caller, params: { userId }, body }) => {
      const { role } = await rpc.identity.ChangeMemberRole({
        workspace_id: workspaceId,
        user_id: userId,
        role: body.role,
        caller_id: caller.userId!,
      });
      return bare({ message: 'the role is changed', role });
    },
  }),
  get(':ws/members/:userId/role', {
    stack: member(),
    tag,
    summary: 'Read the role of a member',
    description: 'Also says whether the member is the creator, whom nobody can remove.',
    wrapped: false,
    reply: schema.memberRole,
    handle: async ({ rpc, workspaceId, params: { userId } }) => {
      const request = { workspace_id: workspaceId, user_id: userId };
      const { role, role_id, is_creator } = await rpc.identity.GetMemberRole(request);
      return bare({ role, role_id: role_id ?? null, is_creator });
    },
  }),
];
