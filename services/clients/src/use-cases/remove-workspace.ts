import type { Deps } from '../deps';

/** Removes everything this service holds of a workspace. Repeating it is harmless. */
export async function removeWorkspace(deps: Deps, workspaceId: string): Promise<void> {
  const { activity, addressProofs, clients, dailySignups, events, fields } = deps;
  const { identities, imports, metrics, passes, processes, segments, tombstones } = deps;
  const stores = [
    activity,
    addressProofs,
    dailySignups,
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
