import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { lookUpPasses } from './look-up-passes';

/** Whose passes these are, or were for those that are gone, where these are asked for; unknown ones are left out. */
export async function locatePasses(
  deps: Pick<Deps, 'passes' | 'passKeeper'>,
  { pass_ids: passIds, with_gone: withGone }: api.PassIds,
): Promise<api.PassLocations> {
  const known = await lookUpPasses(deps, passIds);
  const isWhole = known.length === new Set(passIds).size;
  const gone = withGone && !isWhole ? (await deps.passes.lookUp(passIds)).gone : [];
  const found = [...known, ...gone];
  return {
    passes: found.map(({ passId, workspaceId, clientId }) => ({
      pass_id: passId,
      workspace_id: workspaceId,
      client_id: clientId,
    })),
  };
}
