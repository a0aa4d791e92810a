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

export const presentClone = ({
  id,
  name,
  status,
  problem,
  members,
  members_copied,
  sandbox,
  date_created,
}: identity.WorkspaceClone) => ({
  id,
  name,
  status,
  problem: problem ?? null,
  members,
  members_copied,
  ...(sandbox ? { sandbox } : {}),
  date_created,
});

export const presentClock = ({ now, status, to, problem, ends_at }: identity.SandboxClock) => ({
  now,
  status,
  to: to ?? null,
  problem: problem ?? null,
  ends_at: ends_at ?? null,
});
