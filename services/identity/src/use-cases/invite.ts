import { randomUUID } from 'node:crypto';
import { digestToken } from '@laurel/auth-cache';
import { newId } from '@laurel/lifecycle';
import { invitationLetter, oneLine, signedAs, writeLetter } from '@laurel/mail';
import { commitOnce, type Session } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import { emailKey } from '@laurel/values/email';
import type { Deps } from '../deps';
import { displayName } from '../domain/contact';
import { INVITATIONS_OF_A_WORKSPACE, type MailLimit, TO_ONE_ADDRESS } from '../domain/mail-limits';
import type { RoleName } from '../domain/roles';
import { refusals } from '../refusals';
import type { InvitationRow } from '../store/invitations';
import type { WorkspaceRow } from '../store/workspaces';
import { requireStill } from './require-still';
import { toInvitationReply } from './wire';
import { shopWriterOf } from './writer-of';

const LIFE_MS = 7 * 86_400_000;

/** Invites an address into a workspace; whatever invitation it had there is replaced. */
export async function invite(
  deps: Deps,
  { workspace_id, email, role, inviter_id }: identity.InviteRequest,
): Promise<identity.InviteReply> {
  const { connection, workspaces, invitations, clock } = deps;
  return commitOnce(connection, async (session) => {
    const workspace = await workspaces.lockMembers(workspace_id, session);
    await requireInviter(deps, { workspaceId: workspace_id, inviterId: inviter_id }, session);
    await requireNoMember(deps, { workspaceId: workspace_id, email }, session);
    await countInvitation(deps, { workspaceId: workspace_id, email }, session);
    const previous = await invitations.findOpenFor(workspace_id, email, session);
    if (previous)
      await invitations.close(workspace_id, previous._id, { status: 'superseded', session });
    const wish = { workspace, email: email.trim(), role: role as RoleName, inviterId: inviter_id };
    const invitation = await openInvitation(deps, wish, session);
    const superseded = previous !== null && previous.expires_at > clock.now();
    return { invitation, superseded_previous: superseded };
  });
}

/** Sends an invitation again under a new token; the one before it is gone. */
export async function resendInvitation(
  deps: Deps,
  { workspace_id, id, inviter_id }: identity.ResendInvitationRequest,
): Promise<identity.Invitation> {
  const { connection, workspaces, invitations } = deps;
  return commitOnce(connection, async (session) => {
    const workspace = await workspaces.lockMembers(workspace_id, session);
    await requireInviter(deps, { workspaceId: workspace_id, inviterId: inviter_id }, session);
    const previous = await invitations.find(workspace_id, id, session);
    if (!previous) throw refusals.invitationNotFound();
    const { email, role } = previous;
    await requireNoMember(deps, { workspaceId: workspace_id, email }, session);
    await countInvitation(deps, { workspaceId: workspace_id, email }, session);
    if (!(await invitations.remove(workspace_id, id, session))) throw refusals.closedInvitation();
    return openInvitation(deps, { workspace, email, role, inviterId: inviter_id }, session);
  });
}

/** The invitations of who is put out end at that moment: none may come behind it. */
const requireInviter = (
  deps: Deps,
  { workspaceId, inviterId: callerId }: { workspaceId: string; inviterId: string },
  session: Session,
): Promise<void> =>
  requireStill(deps, { workspaceId, callerId, permission: 'invite_users' }, session);

async function requireNoMember(
  { users, members }: Deps,
  { workspaceId, email }: { workspaceId: string; email: string },
  session: Session,
): Promise<void> {
  const user = await users.findByEmail(emailKey(email), session);
  if (user && (await members.find(workspaceId, user._id, session))) throw refusals.alreadyMember();
}

/**
 * Refuses one mail too many: to the address, from all senders together, and out of this workspace. Who opens another
 * workspace has no more mails for the address by it.
 */
async function countInvitation(
  { mailCounts, clock }: Deps,
  { workspaceId, email }: { workspaceId: string; email: string },
  session: Session,
): Promise<void> {
  const now = clock.now();
  const counts: [counted: string, limit: MailLimit][] = [
    [`invitations to:${emailKey(email)}`, TO_ONE_ADDRESS],
    [`invitations of:${workspaceId}`, INVITATIONS_OF_A_WORKSPACE],
  ];
  for (const [counted, limit] of counts) {
    const refused = await mailCounts.take(counted, limit, { now, session });
    if (refused) throw refusals.tooManyInvitations(refused);
  }
}

interface Wish {
  workspace: WorkspaceRow;
  email: string;
  role: RoleName;
  inviterId: string;
}

async function openInvitation(
  deps: Deps,
  { workspace, email, role, inviterId }: Wish,
  session: Session,
): Promise<identity.Invitation> {
  const { users, invitations, messages, config, clock } = deps;
  const now = clock.now();
  const mailedToken = randomUUID();
  const invitation = {
    _id: newId(),
    email,
    // All chance, unlike an id: it is the credential.
    token: randomUUID(),
    mailed_sha256: digestToken(mailedToken),
    role,
    inviter_id: inviterId,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFE_MS),
  };
  await invitations.insert(workspace._id, invitation, session);
  const inviter = (await users.find(inviterId, session)) ?? undefined;
  const mail = writeLetter(
    invitationLetter(await shopWriterOf(deps, workspace, { kind: 'invitation', session }), {
      inviterName: inviter
        ? signedAs(displayName(inviter), inviter.email)
        : oneLine(workspace.name),
      url: `${config.publicUrl}/invitation?token=${mailedToken}`,
    }),
  );
  await messages.enqueue(
    {
      channel: 'email',
      to: email,
      workspaceId: workspace._id,
      expiresAt: invitation.expires_at,
      ...mail,
    },
    session,
  );
  const row = { ...invitation, workspace_id: workspace._id, status: 'pending' } as InvitationRow;
  return toInvitationReply(row, { inviter, workspaceName: workspace.name, now });
}
