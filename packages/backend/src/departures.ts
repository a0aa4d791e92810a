import { type EventOf, each, type HandlerTable, type Once } from '@laurel/events';
import {
  type Database,
  type Departures,
  type Erasure,
  erasePerson,
  mergePerson,
  removeWorkspace,
  type Session,
} from '@laurel/mongo';
import type { ConsumerSpec } from './consumer-spec';

/** How a service follows clients that are merged or erased. */
export interface Following {
  /**
   * Where it is noted who departs before anything is moved or erased: work on its way that looks there when it has written
   * either is found, or learns of the departure.
   */
  departures?: Departures;
  /** In no transaction, for there may be very much of one client: moving or erasing it again must change nothing. */
  inParts?: boolean;
}

/** Moves what a service holds of a merged client, as its collections declare. */
export const followMerges = (
  queue: string,
  database: Database,
  following?: Following,
): ConsumerSpec => ({ queue, handlers: onMerges(database, following) });

/** Erases what a service holds of a client that was anonymized or deleted, as its collections declare. */
export const followErasures = (
  queue: string,
  database: Database,
  following?: Following,
): ConsumerSpec => ({ queue, handlers: onErasures(database, following) });

/** Removes what a service holds of a deleted workspace. */
export const followWorkspaces = (queue: string, database: Database): ConsumerSpec => ({
  queue,
  handlers: onRemovals(database),
});

/**
 * As `followMerges`, for a queue that hears of more. A target whose own merge or erasure was heard of first passes on, or
 * loses, what it was just given.
 */
export const onMerges = (
  database: Database,
  { departures, inParts = false }: Following = {},
): HandlerTable => ({
  'clients.merged': async ({ workspaceid: workspaceId, data, time }, once) => {
    const { source_client_id: source, target_client_id: target } = data;
    const merge = { workspaceId, source, target, at: new Date(time) };
    await departures?.noteMerge(merge);
    await carryOut(inParts, once, (session) => mergePerson(database, merge, session));
    await departures?.catchUp(database, { workspaceId, clientId: merge.target });
  },
});

/** As `followErasures`, for a queue that hears of more. */
export const onErasures = (
  database: Database,
  { departures, inParts = false }: Following = {},
): HandlerTable =>
  each(['clients.anonymized', 'clients.deleted'], async (event, once) => {
    const erasure = erasureOf(event);
    await departures?.noteErasure(erasure);
    await carryOut(inParts, once, (session) => erasePerson(database, erasure, session));
  });

/** As `followWorkspaces`, for a queue that hears of more. */
export const onRemovals = (database: Database): HandlerTable => ({
  'identity.workspace_deleted': ({ workspaceid }) => removeWorkspace(database, workspaceid),
});

const carryOut = (
  inParts: boolean,
  once: Once,
  effect: (session?: Session) => Promise<void>,
): Promise<void> => (inParts ? effect() : once(effect));

/** Whose rows are to be erased, and in which way. */
export function erasureOf({
  type,
  workspaceid: workspaceId,
  data,
}: EventOf<'clients.anonymized' | 'clients.deleted'>): Erasure {
  const ending = type === 'clients.deleted' ? 'deleted' : 'anonymized';
  return { workspaceId, clientId: data.client_id, ending };
}
