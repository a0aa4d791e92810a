import type { identity } from '@laurel/rpc';

export const presentWorkspace = ({
  id,
  name,
  slug,
  date_created,
  sandbox,
}: identity.Workspace) => ({
  id,
  name,
  slug,
  date_created,
  ...(sandbox ? { sandbox } : {}),
});

export const presentClock = ({ now, status, to, problem, ends_at }: identity.SandboxClock) => ({
  now,
  status,
  to: to ?? null,
  problem: problem ?? null,
  ends_at: ends_at ?? null,
});
