import { beneath, type Connection, collection, isDuplicateKey, unitOfWork } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { WalletRange } from './wallet-range';

interface CheckpointPartDocument {
  _id: string;
  workspace_id: string;
  /** The moment that the checkpoint is of. */
  at: Date;
  /** How many parts the checkpoint is made of. */
  parts: number;
  after: string;
  through: string | null;
  /** Absent once it was read. */
  unread?: true;
  /** There once it was read, where others are to come beside it. */
  leaves?: Buffer;
  /** Absent once it was read, and another part's worker is the one that signs. */
  due_at?: Date;
  lease?: string;
}

/** Wallets from one id to another whose ends a checkpoint is to stand for, in the hands of one worker. */
export interface CheckpointPart {
  id: string;
  lease: string;
  workspaceId: string;
  at: Date;
  parts: number;
  range: WalletRange;
  /** Whether what was read of it is kept already: its worker has died since. */
  isKept: boolean;
}

/** What a checkpoint is of. */
export type CheckpointOf = Pick<CheckpointPart, 'workspaceId' | 'at'>;

export const checkpointParts = collection<CheckpointPartDocument>('checkpoint_parts', {
  tenant: 'workspace_id',
  // Ids of wallets and digests, which do not say of any client who that is.
  person: 'nobody',
  clone: 'left: the chain of the clone is its own',
  growth: {
    per: '8 192 wallets of a checkpoint that is being taken',
    end: 'when it is signed; where there was nothing to sign, with the next one',
    shardKey: 'hashed _id',
  },
  indexes: [
    dueIndex(),
    { key: { at: 1, workspace_id: 1 }, name: 'of_checkpoint' },
    {
      key: { workspace_id: 1, unread: 1 },
      name: 'unread',
      partialFilterExpression: { unread: true },
    },
  ],
});

/** Leaves are read so many parts at a time. */
const PARTS_AT_ONCE = 4;

export type CheckpointPartStore = ReturnType<typeof createCheckpointPartStore>;

/** Checkpoints that are being taken, in parts that any replica claims (docs/adr/0045). */
export function createCheckpointPartStore(connection: Connection) {
  const rows = checkpointParts.open(connection);
  const due = createDue<CheckpointPartDocument, CheckpointPart>(
    connection,
    checkpointParts.collection,
    { read: fromDocument },
  );
  return {
    due,

    /**
     * Leaves the parts between some ids of wallets, and drops what an earlier moment has left. All or none: two that cut one
     * workspace at once cut it in different places, and only one of them may.
     */
    async leave(of: CheckpointOf & { now: Date }, cuts: readonly string[]): Promise<void> {
      const { workspaceId, at } = of;
      try {
        await unitOfWork(connection, async (session) => {
          const earlier = { _id: beneath(workspaceId), at: { $lt: at } };
          await rows.of(workspaceId).deleteMany(earlier, { session });
          due.wake(session);
          await rows.insertMany(partsOf(of, cuts), { session });
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /** The workspaces of which parts are being worked on, and those of which nothing was to sign at that moment. */
    async underWay(at: Date): Promise<{ open: Set<string>; empty: Set<string> }> {
      const all = rows.ofEverybody;
      const [due, those] = await Promise.all([
        all.distinct('workspace_id', { due_at: { $exists: true } }),
        all.distinct('workspace_id', { at }),
      ]);
      const open = new Set(due);
      return { open, empty: new Set(those.filter((workspaceId) => !open.has(workspaceId))) };
    },

    /** Keeps what was read of a part, which stays in hand; false when the claim was lost. */
    async keep({ id, workspaceId, lease }: CheckpointPart, leaves: Buffer): Promise<boolean> {
      const change = { $set: { leaves }, $unset: { unread: '' as const } };
      return (await rows.of(workspaceId).updateOne({ _id: id, lease }, change)).matchedCount === 1;
    },

    /** Whether parts of a checkpoint are left to be read. No workspace has parts of two. */
    isUnread: ({ workspaceId, at }: CheckpointOf): Promise<boolean> =>
      rows.of(workspaceId).has({ unread: true, at }),

    /**
     * What was read of the parts of a checkpoint, in order of the wallets. Their names are in that order in the index: a store
     * that sorted the rows would hold the leaves of all, 320 MB of ten million wallets.
     */
    async *leavesOf(of: CheckpointOf): AsyncGenerator<Buffer> {
      const found = rows
        .of(of.workspaceId)
        .find({ _id: beneath(nameOf(of)), leaves: { $exists: true } }, { promoteBuffers: true })
        .sort({ _id: 1 })
        .batchSize(PARTS_AT_ONCE);
      for await (const { leaves } of found) yield leaves!;
    },

    /** The checkpoint is signed. */
    async end(of: CheckpointOf): Promise<void> {
      await rows.of(of.workspaceId).deleteMany({ _id: beneath(nameOf(of)) });
    },
  };
}

const DIGITS = 8;

const nameOf = ({ workspaceId, at }: CheckpointOf): string => `${workspaceId}:${at.getTime()}`;

function partsOf(
  of: CheckpointOf & { now: Date },
  cuts: readonly string[],
): CheckpointPartDocument[] {
  const { workspaceId, at, now } = of;
  const ends = [...cuts, null];
  return ends.map((through, place) => ({
    _id: `${nameOf(of)}:${String(place).padStart(DIGITS, '0')}`,
    workspace_id: workspaceId,
    at,
    parts: ends.length,
    after: cuts[place - 1] ?? '',
    through,
    ...(ends.length === 1 ? {} : { unread: true as const }),
    due_at: now,
  }));
}

function fromDocument(row: CheckpointPartDocument & { lease: string }): CheckpointPart {
  const { _id: id, lease, workspace_id: workspaceId, at, parts, after, through, leaves } = row;
  const isKept = leaves !== undefined;
  return { id, lease, workspaceId, at, parts, range: { after, through }, isKept };
}
