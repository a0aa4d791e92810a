import { authKeys } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { roleOf } from '../domain/roles';
import { refusals } from '../refusals';
import { toGrantReply, toPrincipalReply } from './wire';

/** How old `last_active` of a member, `last_login` of an app user and `last_used_at` of a token may get before a request refreshes it. */
export const ACTIVITY_MS = 60_000;

/** Whose session this is; INVALID_TOKEN once it ended. */
export function resolveSession(
  { cache, sessions, users, clock }: Deps,
  { session_id }: identity.SessionRequest,
): Promise<identity.Principal> {
  return cache.fill(authKeys.session(session_id), async () => {
    const session = await sessions.findLive(session_id, clock.now());
    const user = session && (await users.find(session.user_id));
    if (!user) throw platform.invalidToken();
    return toPrincipalReply(user, { session_id, token_type: 'session' });
  });
}

/** Whose API token this is; INVALID_TOKEN once it was revoked or replaced. */
export function resolveApiToken(
  { cache, apiTokens, users }: Deps,
  { token_sha256 }: identity.ApiTokenRequest,
): Promise<identity.Principal> {
  return cache.fill(authKeys.token(token_sha256), async () => {
    const token = await apiTokens.findByDigest(token_sha256);
    const user = token && (await users.find(token._id));
    if (!user) throw platform.invalidToken();
    return toPrincipalReply(user, { session_id: null, token_type: 'api_token' });
  });
}

/**
 * Whose named token this is, and what it is for; INVALID_TOKEN once it was revoked, TOKEN_EXPIRED where it had ended when its
 * request came (now, where that is not said). Its end is part of the grant: a cache of the answer looks at it.
 */
export function resolveNamedToken(
  { cache, namedTokens, users, clock }: Deps,
  { token_sha256, came_at }: identity.ApiTokenRequest,
): Promise<identity.Principal> {
  return cache.fill(authKeys.token(token_sha256), async () => {
    const token = await namedTokens.findByDigest(token_sha256);
    const user = token && (await users.find(token.user_id));
    if (!user) throw platform.invalidToken();
    const now = clock.now();
    const cameAt = came_at === undefined ? now : new Date(came_at);
    if (token.expires_at && token.expires_at <= cameAt)
      throw platform.tokenExpired({ message: 'this token has ended: make a new one' });
    if (now.getTime() - (token.last_used_at?.getTime() ?? 0) > ACTIVITY_MS)
      await namedTokens.touch(token._id, now);
    const carrier = { session_id: null, token_type: 'named_token' as const };
    return toPrincipalReply(user, { ...carrier, grant: toGrantReply(token) });
  });
}

/** What a user may do in a workspace; FORBIDDEN to strangers, to suspended members and where there is no workspace. */
export function resolveMembership(
  { cache, members, workspaces, sandboxClocks, clock }: Deps,
  { workspace_id, user_id }: identity.MemberRequest,
): Promise<identity.Membership> {
  return cache.fill(authKeys.member(workspace_id, user_id), async () => {
    const [member, workspace] = await Promise.all([
      members.find(workspace_id, user_id),
      workspaces.find(workspace_id),
    ]);
    if (!member || !workspace || member.status !== 'active') throw refusals.notAMember();
    const now = clock.now();
    if (now.getTime() - (member.last_active_at?.getTime() ?? 0) > ACTIVITY_MS) {
      await members.touch(workspace_id, user_id, now);
    }
    const sandbox = workspace.sandbox ? await sandboxClocks.find(workspace_id) : null;
    const { id, name, permissions } = roleOf(workspace_id, member.role);
    return {
      workspace_id,
      user_id,
      role: name,
      role_id: id,
      permissions,
      is_creator: workspace.creator_id === user_id,
      status: member.status,
      ...(sandbox ? { sandbox_ahead_ms: sandbox.ahead_ms } : {}),
    };
  });
}
