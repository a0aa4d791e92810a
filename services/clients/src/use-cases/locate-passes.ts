import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Whose passes these are; unknown ones are left out. */
export async function locatePasses(
  { passes }: Pick<Deps, 'passes'>,
  { pass_ids: passIds }: api.PassIds,
): Promise<api.PassLocations> {
  const found = await passes.findMany([...new Set(passIds)]);
  return {
    passes: found.map(({ passId, workspaceId, clientId }) => ({
      pass_id: passId,
      workspace_id: workspaceId,
      client_id: clientId,
    })),
  };
}
