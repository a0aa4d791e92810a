import type { Deps } from '../deps';

/** Removes everything this service holds of a workspace. Repeating it is harmless. */
export async function removeWorkspace(deps: Deps, workspaceId: string): Promise<void> {
  const { clients, events, fields, identities, imports } = deps;
  const { metrics, passes, processes, segments, tombstones } = deps;
  const stores = [
    clients,
    events,
    fields,
    identities,
    imports,
    metrics,
    passes,
    processes,
    segments,
    tombstones,
  ];
  for (const store of stores) await store.removeWorkspace(workspaceId);
}
