import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { endOf } from '../../domain/pass/pass';
import { offeredLinks } from './offered-links';

type Deps = Pick<PassDeps, 'passes' | 'projects' | 'links' | 'walletsOffered' | 'clock'>;

/**
 * The cards of a client that can still be put on a phone, newest first, each by the name of its project and with its
 * way into the wallets that work (part 4, section 8). Voided, expired and retired ones lead nowhere and are left out.
 */
export async function listOfferedPasses(
  deps: Deps,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.OfferedPasses> {
  const now = deps.clock.now();
  const found = await deps.passes.listOfClients(workspaceId, [clientId]);
  const live = found.filter((pass) => !pass.retired && endOf(pass, now) === null);
  const projectIds = [...new Set(live.map(({ project_id }) => project_id))];
  const projects = await deps.projects.findMany(workspaceId, projectIds);
  const nameOf = new Map(projects.map(({ id, name }) => [id, name]));
  const offer = async (pass: (typeof live)[number]) => ({
    pass_id: pass.id,
    name: nameOf.get(pass.project_id) ?? '',
    barcode_value: pass.barcode_value,
    ...(await offeredLinks(deps, workspaceId, pass)),
  });
  return { passes: await Promise.all(live.map(offer)) };
}
