import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { MobileUserRow } from '../store/mobile-users';
import type { WorkspaceRow } from '../store/workspaces';
import { ACCESS_SECONDS } from './issue-session';
import { toMobileUserReply, toWorkspaceSummaryReply } from './wire';

const DAY_MS = 86_400_000;

export const mobileExpiry = ({ config }: Deps, now: Date): Date =>
  new Date(now.getTime() + config.mobileSessionDays * DAY_MS);

/** What a device gets on pairing and on each refresh. */
export function mobileTokensOf(
  { tokens }: Deps,
  {
    user,
    workspace,
    sessionId,
    refreshToken,
  }: { user: MobileUserRow; workspace: WorkspaceRow; sessionId: string; refreshToken: string },
): identity.MobileTokens {
  const claims = { sub: user._id, sid: sessionId, ws: workspace._id };
  return {
    access_token: tokens.sign('mobile_access', claims, ACCESS_SECONDS),
    refresh_token: refreshToken,
    expires: ACCESS_SECONDS * 1_000,
    user: toMobileUserReply(user),
    workspace: toWorkspaceSummaryReply(workspace),
  };
}

/** What the till page gets: the refresh token goes into a cookie that lives as long as it does. */
export const mobilePageSessionOf = (
  { config }: Deps,
  tokens: identity.MobileTokens,
): identity.MobilePageSession => ({
  tokens,
  refresh_seconds: (config.mobileSessionDays * DAY_MS) / 1_000,
});
