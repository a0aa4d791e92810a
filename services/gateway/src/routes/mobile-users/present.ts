import type { identity } from '@laurel/rpc';

export const presentMobileUser = (user: identity.MobileUser) => ({
  ...user,
  email: user.email ?? null,
  phone: user.phone ?? null,
  first_name: user.first_name ?? null,
  last_name: user.last_name ?? null,
  linked_user_id: user.linked_user_id ?? null,
  paired_at: user.paired_at ?? null,
  last_login: user.last_login ?? null,
  metadata: user.metadata ?? {},
});

export const presentSession = (session: identity.MobileSession) => ({
  ...session,
  device_name: session.device_name ?? null,
  device_os: session.device_os ?? null,
  revoked_at: session.revoked_at ?? null,
});

export const presentLinkableUser = (user: identity.LinkableUser) => ({
  ...user,
  first_name: user.first_name ?? null,
  last_name: user.last_name ?? null,
});
