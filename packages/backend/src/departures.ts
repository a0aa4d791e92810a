import { type EventOf, each } from '@laurel/events';
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
  handlers: {
    'clients.merged': async ({ workspaceid: workspaceId, data }, once) => {
      const merge = { workspaceId, source: data.source_client_id, target: data.target_client_id };
      await note?.(merge);
      await once((session) => mergePerson(database, merge, session));
    },
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
    handlers: each(['clients.anonymized', 'clients.deleted'], async (event, once) => {
      const erasure = erasureOf(event);
      await note?.(erasure);
      await once((session) => erasePerson(database, erasure, session));
    }),
  };
}

/** Whose rows are to be erased, and in which way. */
export function erasureOf({
  type,
  workspaceid: workspaceId,
  data,
}: EventOf<'clients.anonymized' | 'clients.deleted'>): Erasure {
  const ending = type === 'clients.deleted' ? 'deleted' : 'anonymized';
  return { workspaceId, clientId: data.client_id, ending };
}

/** Removes what a service holds of a deleted workspace. */
export const followWorkspaces = (queue: string, database: Database): ConsumerSpec => ({
  queue,
  handlers: {
    'identity.workspace_deleted': ({ workspaceid }) => removeWorkspace(database, workspaceid),
  },
});
