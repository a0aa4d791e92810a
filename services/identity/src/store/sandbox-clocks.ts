import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import { createDue, createDueTimes, dueIndex } from '@laurel/work';
import type { Advance } from '../domain/sandbox';

/** The clock of a sandbox; there as long as the sandbox is. */
export interface SandboxClockRow {
  /** Of the workspace. */
  _id: string;
  workspace_id: string;
  /** Who made it. */
  creator_id: string;
  /** How far it is ahead of real time; never becomes less. */
  ahead_ms: number;
  ends_at: Date;
  /** The last one; null before the first. */
  advance: Advance | null;
}

/** A row whose advance is in the hands of one worker. */
export type ClaimedClock = SandboxClockRow & { lease: string };

export interface NewSandbox {
  workspaceId: string;
  creatorId: string;
  endsAt: Date;
}

const ENDS = { column: 'ends_at', by: '_id', leads: true } as const;

export const sandboxClocks = collection<SandboxClockRow>('sandbox_clocks', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: a sandbox begins with real time',
  growth: {
    per: 'sandbox',
    end: 'when it ends',
    shardKey: 'whole',
  },
  indexes: [dueIndex(), { key: { ends_at: 1 }, name: 'ends' }],
});

export function createSandboxClockStore(connection: Connection) {
  const rows = sandboxClocks.open(connection);
  const due = createDue<SandboxClockRow, ClaimedClock>(connection, sandboxClocks.collection, {
    read: (row) => row,
  });
  const ends = createDueTimes(connection, sandboxClocks.collection, ENDS);

  return {
    /** Advances that wait for a worker. */
    due,
    /** When sandboxes end. */
    ends,

    async insert({ workspaceId, creatorId, endsAt }: NewSandbox, session: Session): Promise<void> {
      const clock = { creator_id: creatorId, ahead_ms: 0, ends_at: endsAt, advance: null };
      await rows.insertOne({ _id: workspaceId, workspace_id: workspaceId, ...clock }, { session });
    },

    /** How many there are, of one person and of all. */
    countOf: (creatorId: string, session?: Session) => countOf(rows, creatorId, session),

    find: (workspaceId: string, session?: Session) =>
      rows.of(workspaceId).findOne({ _id: workspaceId }, { session }),

    ...advancesIn(rows, due),

    /** Sandboxes whose time is up. */
    ended: (now: Date, limit: number) => endedBy(rows, now, limit),

    async remove(workspaceId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: workspaceId }, { session });
    },
  };
}

async function countOf(
  { ofEverybody }: Rows<SandboxClockRow>,
  creatorId: string,
  session?: Session,
): Promise<{ own: number; all: number }> {
  const given = session ? { session } : {};
  const own = await ofEverybody.countDocuments({ creator_id: creatorId }, given);
  return { own, all: await ofEverybody.countDocuments({}, given) };
}

async function endedBy(
  { ofEverybody }: Rows<SandboxClockRow>,
  now: Date,
  limit: number,
): Promise<string[]> {
  const found = ofEverybody.find({ ends_at: { $lte: now } }, { projection: { _id: 1 }, limit });
  return (await found.toArray()).map(({ _id }) => _id);
}

/** What becomes of the advances of clocks. */
function advancesIn(
  rows: Rows<SandboxClockRow>,
  due: ReturnType<typeof createDue<SandboxClockRow, ClaimedClock>>,
) {
  return {
    /** Begins an advance; false while another is under way. */
    async begin(
      workspaceId: string,
      { to, now }: { to: Date; now: Date },
      session: Session,
    ): Promise<boolean> {
      due.wake(session);
      const advance: Advance = { to, status: 'advancing', problem: null, steps: 0 };
      const change: object = { $set: { advance, due_at: now } };
      const { matchedCount } = await rows
        .of(workspaceId)
        .updateOne({ 'advance.status': { $ne: 'advancing' } }, change, { session });
      return matchedCount === 1;
    },

    /** Moves the clock on; false when the claim was lost, or the sandbox is gone. */
    async move({ _id, lease }: ClaimedClock, aheadMs: number): Promise<boolean> {
      const held: object = { lease };
      const forward: object = { $max: { ahead_ms: aheadMs }, $inc: { 'advance.steps': 1 } };
      return (await rows.of(_id).updateOne(held, forward)).matchedCount === 1;
    },

    /** Ends an advance where it has come to; false when the claim was lost. */
    finish: ({ _id, lease }: ClaimedClock, problem: string | null): Promise<boolean> =>
      due.finish(
        { id: _id, lease },
        {
          $set: {
            'advance.status': problem === null ? 'ready' : 'failed',
            'advance.problem': problem,
          },
        },
      ),

    /** Gives an advance back, to be taken up at a moment. */
    release: ({ _id, lease }: ClaimedClock, at: Date): Promise<boolean> =>
      due.postpone({ id: _id, lease }, at),
  };
}
