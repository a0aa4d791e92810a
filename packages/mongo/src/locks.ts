import { createInTurn, type InTurn } from '@laurel/lifecycle';
import type { Connection } from 'mongoose';
import { collection } from './collection';
import { commitOnce } from './operations';
import { orStale } from './stale-write';
import type { Session } from './unit-of-work';

interface LockDocument {
  /** `<workspace>:<what>` */
  _id: string;
  workspace_id: string;
  changes: number;
}

/** What units of work write to wait for each other; a service lists it that commits in turn. */
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

interface Locked {
  workspaceId: string;
  what: string;
}

const lanes = new WeakMap<Connection, InTurn>();

/**
 * As commitOnce, for what is to find no other of its kind under way in the workspace: of several that count how many there
 * are, each would else find the room that is left for one. Those of this process come one after the other; those of
 * others are held to the row that each writes before it reads.
 */
export function commitInTurn<Reply>(
  connection: Connection,
  locked: Locked,
  work: (session: Session) => Promise<Reply>,
): Promise<Reply> {
  const inTurn = lanes.get(connection) ?? createInTurn();
  lanes.set(connection, inTurn);
  return inTurn(`${locked.workspaceId}:${locked.what}`, () =>
    commitOnce(connection, async (session) => {
      await lock(connection, locked, session);
      return work(session);
    }),
  );
}

async function lock(
  connection: Connection,
  { workspaceId, what }: Locked,
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
