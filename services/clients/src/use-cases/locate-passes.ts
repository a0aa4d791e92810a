import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { lookUpPasses } from './look-up-passes';

/** Whose passes these are; unknown ones are left out. */
export async function locatePasses(
  deps: Pick<Deps, 'passes' | 'passKeeper'>,
  { pass_ids: passIds }: api.PassIds,
): Promise<api.PassLocations> {
  const found = await lookUpPasses(deps, passIds);
  return {
    passes: found.map(({ passId, workspaceId, clientId }) => ({
      pass_id: passId,
      workspace_id: workspaceId,
      client_id: clientId,
    })),
  };
}
