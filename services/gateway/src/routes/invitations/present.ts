import type { identity } from '@laurel/rpc';

export const presentInvitation = (invitation: identity.Invitation) => ({
  ...invitation,
  inviter_name: invitation.inviter_name ?? null,
});

/** For those who may not invite: the token is what makes its holder a member. */
export const withoutToken = (invitation: ReturnType<typeof presentInvitation>) => ({
  ...invitation,
  invitation_token: null,
});

export const presentInvited = ({ invitation, superseded_previous }: identity.InviteReply) => {
  const { id, email, expires_at, workspace_name } = invitation!;
  return { id, email, expires_at, workspace_name, superseded_previous };
};

export const presentPublicInvitation = (invitation: identity.PublicInvitation) => ({
  ...invitation,
  inviter_email: invitation.inviter_email ?? null,
  inviter_name: invitation.inviter_name ?? null,
});

export const presentMyInvitation = (invitation: identity.Invitation) => {
  const { id, invitation_token, workspace_name, inviter_name, date_created, expires_at } =
    presentInvitation(invitation);
  return { id, invitation_token, workspace_name, inviter_name, date_created, expires_at };
};
