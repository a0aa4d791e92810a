import type { ClientsMerged } from '@laurel/events';
import {
  type Database,
  type Erasure,
  erasePerson,
  type Merge,
  mergePerson,
  removeWorkspace,
} from '@laurel/mongo';
import type { ConsumerSpec } from './start';

type Beforehand<Departure> = (departure: Departure) => Promise<void>;

/**
 * Moves what a service holds of a merged client, as its collections declare. `note` is awaited before anything is moved:
 * work on its way that looks there when it has written either is moved or learns of the merge.
 */
export const followMerges = (
  queue: string,
  database: Database,
  note?: Beforehand<Merge>,
): ConsumerSpec => ({
  queue,
  bindings: ['clients.merged'],
  handle: async ({ workspaceid, data }, once) => {
    const { source_client_id: source, target_client_id: target } = data as ClientsMerged;
    const merge = { workspaceId: workspaceid!, source, target };
    await note?.(merge);
    await once((session) => mergePerson(database, merge, session));
  },
});

/** Erases what a service holds of a client that was anonymized or deleted, as its collections declare; `note` as of merges. */
export function followErasures(
  queue: string,
  database: Database,
  note?: Beforehand<Erasure>,
): ConsumerSpec {
  return {
    queue,
    bindings: ['clients.anonymized', 'clients.deleted'],
    handle: async ({ type, workspaceid, data }, once) => {
      const { client_id: clientId } = data as { client_id: string };
      const ending = type === 'clients.deleted' ? 'deleted' : 'anonymized';
      const erasure = { workspaceId: workspaceid!, clientId, ending } as const;
      await note?.(erasure);
      await once((session) => erasePerson(database, erasure, session));
    },
  };
}

/** Removes what a service holds of a deleted workspace. */
export const followWorkspaces = (queue: string, database: Database): ConsumerSpec => ({
  queue,
  bindings: ['identity.workspace_deleted'],
  handle: ({ workspaceid }) => removeWorkspace(database, workspaceid!),
});
