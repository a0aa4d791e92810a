import type { Database } from '@laurel/mongo';
import type { PassDeps } from '../deps';
import { type ForgetDeps, forgetClient } from './pass/forget-client';
import { type MoveDeps, moveClient } from './pass/move-client';

export type DepartureDeps = MoveDeps &
  ForgetDeps &
  Pick<PassDeps, 'connection' | 'collections' | 'departures'>;

/** What is kept here, with what becomes of the passes of a client that departs. */
export const databaseOf = (deps: DepartureDeps): Database => ({
  connection: deps.connection,
  collections: deps.collections,
  handWork: {
    merge: (merge, session) => moveClient(deps, merge, session),
    erase: (erasure, session) => forgetClient(deps, erasure, session),
  },
});

/**
 * Moves or erases what was just written for a client that has departed, which its merge or erasure cannot have found.
 * Repeating it changes nothing.
 */
export async function catchUp(
  deps: DepartureDeps,
  who: { workspaceId: string; clientId: string },
): Promise<void> {
  await deps.departures.catchUp(databaseOf(deps), who);
}
