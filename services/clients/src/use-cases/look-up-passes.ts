import type { Deps } from '../deps';
import type { IndexedPass } from '../store/pass-index';

/**
 * The passes of these ids, whatever workspace they are of; unknown ones are left out. One that was created a moment ago
 * may not be known here yet: its keeper is asked for it.
 */
export async function lookUpPasses(
  { passes, passKeeper }: Pick<Deps, 'passes' | 'passKeeper'>,
  passIds: readonly string[],
): Promise<IndexedPass[]> {
  if (passIds.length === 0) return [];
  const { found, unheard } = await passes.lookUp([...new Set(passIds)]);
  if (unheard.length === 0) return found;
  const located = await passKeeper.LocatePasses({ pass_ids: unheard });
  const fresh = located.passes.map((pass) => ({
    passId: pass.pass_id,
    workspaceId: pass.workspace_id,
    clientId: pass.client_id ?? null,
    templateId: pass.pass_template_id,
  }));
  return [...found, ...fresh];
}

/** The passes that some events name and that are of one of some workspaces, by their ids. */
export async function passesWithin(
  deps: Pick<Deps, 'passes' | 'passKeeper'>,
  workspaceIds: readonly string[],
  events: readonly { pass_id: string }[],
): Promise<Map<string, IndexedPass>> {
  const found = await lookUpPasses(
    deps,
    events.map((event) => event.pass_id),
  );
  const allowed = found.filter((pass) => workspaceIds.includes(pass.workspaceId));
  return new Map(allowed.map((pass) => [pass.passId, pass]));
}
