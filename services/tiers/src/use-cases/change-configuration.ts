import { isDeepStrictEqual } from 'node:util';
import type { CloudEvent } from '@laurel/events';
import { commitOnce, type Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { StoredTierSet } from '../store/tier-sets';
import { type Configuration, requireConfiguration } from './read-programme';

export type ChangeDeps = Pick<Deps, 'connection' | 'tierSets' | 'tiers' | 'resyncJobs' | 'outbox'>;

/** What a change of the set or its tiers comes to. */
export interface Outcome<T> {
  reply: T;
  events: readonly CloudEvent[];
  /** Somebody may be in another tier now. */
  needsResync: boolean;
  set?: StoredTierSet;
}

/**
 * Changes the configuration of a workspace: changes stand in line, and what they do to clients is the
 * work of a resync job that is committed with them. Refused without a tier set.
 */
export async function changeConfiguration<T>(
  deps: ChangeDeps,
  workspaceId: string,
  change: (configuration: Configuration, session: Session) => Promise<Outcome<T>>,
): Promise<{ reply: T; resyncJobId: string | null }> {
  const committed = await commitOnce(deps.connection, async (session) => {
    const configuration = await requireConfiguration(deps, workspaceId, session);
    const { reply, events, needsResync, set } = await change(configuration, session);
    await deps.tierSets.replace(set ?? configuration.set, session);
    await deps.outbox.append(events, session);
    const resyncJobId = needsResync ? await queueResync(deps, workspaceId, session) : null;
    return { reply, resyncJobId };
  });
  return committed;
}

/** A job for everybody; one that has not begun yet serves for several changes. */
export async function queueResync(
  { resyncJobs }: Pick<Deps, 'resyncJobs'>,
  workspaceId: string,
  session: Session,
): Promise<string> {
  const queued = await resyncJobs.joinQueued(workspaceId, session);
  return queued ?? (await resyncJobs.insert(workspaceId, null, session)).id;
}

/** Names of the fields in which two versions of a record differ. */
export function changedFields<T extends object>(before: T, after: T): string[] {
  return (Object.keys(after) as (keyof T & string)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  );
}
