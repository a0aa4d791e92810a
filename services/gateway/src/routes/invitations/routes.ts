import { asCaller } from '../../middleware/caller';
import {
  bare,
  del,
  get,
  member,
  memberOfField,
  memberOfRow,
  message,
  open,
  post,
  type Route,
  user,
} from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import { messageOnly } from '../auth/schema';
import {
  presentInvitation,
  presentInvited,
  presentMyInvitation,
  presentPublicInvitation,
  withoutToken,
} from './present';
import * as schema from './schema';

const tag = 'Invitations';

const ofInvitation = (permission: string) =>
  memberOfRow(
    async (rpc: RpcClients, { invitationId }) =>
      (await rpc.identity.WorkspaceOfInvitation({ id: invitationId! })).workspace_id,
    { permission },
  );

/** Invitations into a workspace (part 2). */
export const invitationRoutes: Route[] = [
  post('/invite', {
    stack: memberOfField('body', 'workspace_id', { permission: 'invite_users' }),
    tag,
    summary: 'Invite an address into a workspace',
    description:
      'Mails a link that is good for seven days. An open invitation of the same address is replaced, which `superseded_previous` says; a member is refused with 409. Needs the permission invite_users.',
    body: schema.invite,
    wrapped: false,
    reply: schema.invited,
    handle: async ({ rpc, caller, body }) => {
      const reply = await rpc.identity.Invite({ ...body, inviter_id: caller.userId! });
      return bare({ invitation: presentInvited(reply), message: 'the invitation is on its way' });
    },
  }),
  get(':ws/invitations', {
    stack: member(),
    tag,
    summary: 'List the open and expired invitations of a workspace',
    wrapped: false,
    reply: schema.invitations,
    description: 'invitation_token is null for callers who may not invite.',
    handle: async ({ rpc, workspaceId, caller }) => {
      const request = { workspace_id: workspaceId };
      const { invitations } = await rpc.identity.ListInvitations(request);
      const mayInvite = caller.membership!.permissions.includes('invite_users');
      const shown = invitations.map(presentInvitation);
      return bare({ invitations: mayInvite ? shown : shown.map(withoutToken) });
    },
  }),
  // The token is the credential; it shares its place in the path with the id of the routes below.
  get('/invitation/:invitationId', {
    stack: open('IP'),
    tag,
    summary: 'Read an invitation by its token',
    description:
      'What the page behind the mailed link shows: who invites into which workspace, and whether the address has an account. 400 once it is used, revoked or seven days old.',
    wrapped: false,
    reply: schema.publicInvitation,
    handle: async ({ rpc, params: { invitationId } }) => {
      const found = await rpc.identity.FindInvitation({ invitation_token: invitationId });
      return bare({ invitation: presentPublicInvitation(found) });
    },
  }),
  post('/accept-invitation', {
    stack: user(),
    tag,
    summary: 'Accept an invitation to your own address',
    description: 'The mailed token verifies the address, where that was not done before.',
    body: schema.accept,
    wrapped: false,
    reply: schema.accepted,
    handle: async ({ rpc, caller, body }) => {
      const request = { ...asCaller(caller), ...body };
      const { workspace_id, workspace_name } = await rpc.identity.AcceptInvitation(request);
      const workspace = { id: workspace_id, name: workspace_name };
      return bare({ message: 'you are a member now', workspace });
    },
  }),
  get('/my-invitations', {
    stack: user(),
    tag,
    summary: 'List the open invitations to your own address',
    description:
      'Empty until the address is verified, and for an API token that was made before that.',
    wrapped: false,
    reply: schema.myInvitations,
    handle: async ({ rpc, caller }) => {
      const { invitations } = await rpc.identity.ListMyInvitations(asCaller(caller));
      return bare({ invitations: invitations.map(presentMyInvitation) });
    },
  }),
  del('/invitation/:invitationId', {
    stack: ofInvitation('manage_members'),
    tag,
    summary: 'Revoke an invitation',
    description:
      'The mailed link stops working at once. One that was accepted is refused with 409: remove the member instead.',
    wrapped: false,
    reply: messageOnly,
    handle: async ({ rpc, workspaceId, params: { invitationId } }) => {
      await rpc.identity.RevokeInvitation({ workspace_id: workspaceId, id: invitationId });
      return message('the invitation is revoked');
    },
  }),
  post('/invitation/:invitationId/resend', {
    stack: ofInvitation('invite_users'),
    tag,
    summary: 'Send an invitation again under a new token',
    description:
      'For a mail that got lost or ran out: the earlier link stops working, the new one is good for seven days. At most five mails an hour to one address.',
    wrapped: false,
    reply: schema.resent,
    handle: async ({ rpc, workspaceId, caller, params: { invitationId } }) => {
      const invitation = await rpc.identity.ResendInvitation({
        workspace_id: workspaceId,
        id: invitationId,
        inviter_id: caller.userId!,
      });
      return bare({
        invitation: presentInvitation(invitation),
        message: 'the invitation is on its way again',
      });
    },
  }),
];
