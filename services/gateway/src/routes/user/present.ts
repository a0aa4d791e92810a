import type { identity } from '@laurel/rpc';
import { presentUser } from '../auth/present';

export const presentUserWithPreferences = (user: identity.User) => ({
  ...presentUser(user),
  preferences: {
    language: user.preferences?.language ?? null,
    theme: user.preferences?.theme ?? null,
    density: user.preferences?.density ?? null,
  },
});

/** An account as part 1 has it, and its preferences once the person has stated any. */
export const presentAccount = (user: identity.User) =>
  Object.values(user.preferences ?? {}).some((preference) => preference !== null)
    ? presentUserWithPreferences(user)
    : presentUser(user);

export const presentSession = (
  { of_page, device, ...session }: identity.UserSession,
  currentId: string | null,
) => ({
  id: session.id,
  device: device ?? null,
  kind: of_page ? 'page' : 'program',
  date_created: session.date_created,
  last_active_at: session.last_active_at,
  expires_at: session.expires_at,
  current: session.id === currentId,
});

export const presentApiToken = (token: identity.NamedToken) => ({
  id: token.id,
  name: token.name,
  scope: token.scope,
  workspace_id: token.workspace_id ?? null,
  date_created: token.date_created,
  last_used_at: token.last_used_at ?? null,
  expires_at: token.expires_at ?? null,
});
