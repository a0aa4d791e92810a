import type { identity } from '@laurel/rpc';

export const presentMember = (member: identity.Member) => ({
  ...member,
  first_name: member.first_name ?? null,
  last_name: member.last_name ?? null,
  last_active: member.last_active ?? null,
});
