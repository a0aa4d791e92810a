import type { Deps, WorkspaceUnit } from '../deps';
import { displayName } from '../domain/client';

/** Whom an event is about, as of now. */
export interface Person {
  clientId: string;
  /** null for somebody without a name, and for everybody who was erased. */
  name: string | null;
  /** Nothing personal may be written about this client any more. */
  erased: boolean;
  /** Since when the client is gone; null while it exists. */
  goneSince: Date | null;
}

/** Merges follow one another; more than this many in a row do not happen by themselves. */
const MERGES_MAX = 20;

/**
 * Says of each client id who that is today: after a merge the target; an erased client without a name.
 * Ids that no workspace knows are left out.
 */
export async function resolveClients(
  { clients, tombstones }: Pick<Deps, 'clients' | 'tombstones'>,
  { workspaceId, session }: Pick<WorkspaceUnit, 'workspaceId'> & Partial<WorkspaceUnit>,
  ids: readonly string[],
): Promise<Map<string, Person>> {
  const people = new Map<string, Person>();
  const current = new Map(ids.map((id) => [id, id]));
  for (let round = 0; round < MERGES_MAX && current.size > 0; round += 1) {
    const wanted = [...new Set(current.values())];
    const living = await clients.findMany(workspaceId, wanted, session);
    const found = new Map(living.map((client) => [client.id, client]));
    const missing = wanted.filter((id) => !found.has(id));
    const gone =
      missing.length === 0 ? null : await tombstones.findMany(workspaceId, missing, session);
    for (const [id, now] of [...current]) {
      const client = found.get(now);
      const tombstone = gone?.get(now);
      current.delete(id);
      if (client) {
        const erased = client.status === 'anonymized';
        people.set(id, { clientId: now, name: displayName(client), erased, goneSince: null });
      } else if (tombstone?.mergedInto) {
        current.set(id, tombstone.mergedInto);
      } else if (tombstone) {
        people.set(id, { clientId: now, name: null, erased: true, goneSince: tombstone.at });
      }
    }
    if (gone === null) break;
  }
  return people;
}
