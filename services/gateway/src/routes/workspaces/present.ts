import type { identity } from '@laurel/rpc';

export const presentWorkspace = ({ id, name, slug, date_created }: identity.Workspace) => ({
  id,
  name,
  slug,
  date_created,
});
