import type { identity } from '@laurel/rpc';
import { presentMobileUser, presentSession } from '../mobile-users/present';

export const presentMobileTokens = (tokens: identity.MobileTokens) => ({
  ...tokens,
  user: presentMobileUser(tokens.user!),
});

export const presentMe = ({ user, workspace, role, session }: identity.MobileMe) => ({
  user: presentMobileUser(user!),
  workspace,
  role: role!.name,
  role_id: role!.id,
  session: presentSession(session!),
});
