import { type EventOf, each } from '@laurel/events';
import {
  type Database,
  type Departures,
  type Erasure,
  erasePerson,
  mergePerson,
  removeWorkspace,
} from '@laurel/mongo';
import type { ConsumerSpec } from './consumer-spec';

/**
 * Moves what a service holds of a merged client, as its collections declare. With `departures` it is noted before anything
 * is moved: work on its way that looks there when it has written either is moved or learns of the merge. And a target whose
 * own merge or erasure was heard of first passes on, or loses, what it was just given.
 */
export const followMerges = (
  queue: string,
  database: Database,
  departures?: Departures,
): ConsumerSpec => ({
  queue,
  handlers: {
    'clients.merged': async ({ workspaceid: workspaceId, data }, once) => {
      const merge = { workspaceId, source: data.source_client_id, target: data.target_client_id };
      await departures?.noteMerge(merge);
      await once((session) => mergePerson(database, merge, session));
      await departures?.catchUp(database, { workspaceId, clientId: merge.target });
    },
  },
});

/** Erases what a service holds of a client that was anonymized or deleted, as its collections declare; `note` comes first. */
export function followErasures(
  queue: string,
  database: Database,
  note?: (erasure: Erasure) => Promise<void>,
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
