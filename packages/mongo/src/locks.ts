import type { Connection } from 'mongoose';
import { collection } from './collection';
import { orStale } from './stale-write';
import type { Session } from './unit-of-work';

interface LockDocument {
  /** `<workspace>:<what>` */
  _id: string;
  workspace_id: string;
  changes: number;
}

/** What units of work write to wait for each other; a service lists it that locks something. */
export const locks = collection<LockDocument>('locks', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: made anew by the first change',
  growth: {
    per: 'workspace and kind of thing',
    end: 'stays: goes with its workspace',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
});

/**
 * Makes all units of work that lock the same of a workspace wait for each other until they end: of several that count how
 * many there are, each would else find the room that is left for one. It comes before what they read.
 */
export async function lock(
  connection: Connection,
  { workspaceId, what }: { workspaceId: string; what: string },
  session: Session,
): Promise<void> {
  const own = { _id: `${workspaceId}:${what}` };
  const change = { $inc: { changes: 1 } };
  const written = locks
    .open(connection)
    .of(workspaceId)
    .updateOne(own, change, { upsert: true, session });
  await orStale(`the lock of ${what}`, written);
}
