import type { identity } from '@laurel/rpc';
import { presentUser } from '../auth/present';
import { presentMobileUser } from '../mobile-users/present';

export const presentPageSession = ({ tokens, user }: identity.PageSession) => ({
  access_token: tokens!.access_token,
  expires: tokens!.expires,
  user: presentUser(user!),
});

export const presentTillSession = ({ tokens }: identity.MobilePageSession) => ({
  access_token: tokens!.access_token,
  expires: tokens!.expires,
  user: presentMobileUser(tokens!.user!),
  workspace: tokens!.workspace,
});
