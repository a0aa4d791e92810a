import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import { createDue, type Due, dueIndex } from '@laurel/work';

const DUE = { column: 'next_attempt_at' };
const KEPT_SECONDS = 30 * 86_400;
const MERGED_MAX = 100;

export type ProcessKind = 'merge' | 'anonymize' | 'delete';

/** A piece of work that touches several services, step by step, restartable at any of them. */
export interface Process {
  id: string;
  workspaceId: string;
  kind: ProcessKind;
  /** The client that is merged away, anonymized or deleted. */
  clientId: string;
  /** The client that takes over, of a merge. */
  targetClientId: string | null;
  doneSteps: string[];
  attempts: number;
  createdAt: Date;
  finishedAt: Date | null;
}

interface ProcessDocument {
  _id: string;
  workspace_id: string;
  kind: ProcessKind;
  client_id: string;
  target_client_id: string | null;
  done_steps: string[];
  attempts: number;
  created_at: Date;
  finished_at?: Date;
  /** Absent once finished: what the index of due work is made of. */
  next_attempt_at?: Date;
  lease?: string;
}

const IT_SAYS_SO = 'stays: it is what sees to it';

export const processes = collection<ProcessDocument>('processes', {
  tenant: 'workspace_id',
  person: {
    column: ['client_id', 'target_client_id'],
    merged: IT_SAYS_SO,
    anonymized: IT_SAYS_SO,
    deleted: 'as anonymized',
    exported: 'withheld: ids alone, and gone a month after the process',
  },
  growth: {
    per: 'merge, erasure or deletion',
    end: '30 days after its end',
    shardKey: 'hashed _id',
  },
  indexes: [
    dueIndex(DUE),
    { key: { finished_at: 1 }, name: 'finished_ttl', expireAfterSeconds: KEPT_SECONDS },
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
    {
      key: { workspace_id: 1, target_client_id: 1 },
      name: 'merges',
      partialFilterExpression: { kind: 'merge' },
    },
  ],
});

export function createProcessStore(connection: Connection) {
  const rows = processes.open(connection);
  const counted = { ...DUE, onClaim: { $inc: { attempts: 1 } } };
  const due = createDue<ProcessDocument, Process>(connection, processes.collection, {
    ...counted,
    read: fromDocument,
  });

  return {
    /** Processes that their makers did not finish, or that are to be tried again. */
    due,
    ...handsOf(rows, due),
    ...mergesAmong(rows),

    /** Only its maker works on it before `firstAttemptBy`. */
    async insert(process: Process, firstAttemptBy: Date, session: Session): Promise<void> {
      await rows.insertOne(
        {
          _id: process.id,
          workspace_id: process.workspaceId,
          kind: process.kind,
          client_id: process.clientId,
          target_client_id: process.targetClientId,
          done_steps: process.doneSteps,
          attempts: process.attempts,
          created_at: process.createdAt,
          next_attempt_at: firstAttemptBy,
        },
        { session },
      );
    },

    async findUnfinished(
      workspaceId: string,
      kind: ProcessKind,
      clientId: string,
    ): Promise<Process | null> {
      const unfinished = { client_id: clientId, kind, next_attempt_at: { $exists: true } };
      const row = await rows.of(workspaceId).findOne(unfinished);
      return row && fromDocument(row);
    },

    /** Whether some process of the kind has not done all of some steps yet. */
    async isAnyBefore(
      workspaceId: string,
      kind: ProcessKind,
      steps: readonly string[],
    ): Promise<boolean> {
      const lacking = { $or: steps.map((step) => ({ done_steps: { $ne: step } })) };
      return rows.of(workspaceId).has({ next_attempt_at: { $exists: true }, kind, ...lacking });
    },

    /** Null when it is long over. */
    async find({ id, workspaceId }: Process): Promise<Process | null> {
      const row = await rows.of(workspaceId).findOne({ _id: id });
      return row && fromDocument(row);
    },

    async markStep({ id, workspaceId }: Process, step: string): Promise<void> {
      await rows.of(workspaceId).updateOne({ _id: id }, { $addToSet: { done_steps: step } });
    },

    async finish({ id, workspaceId }: Process, at: Date): Promise<void> {
      const over = { next_attempt_at: '', lease: '' } as const;
      const finished = { $set: { finished_at: at }, $unset: over };
      await rows.of(workspaceId).updateOne({ _id: id }, finished);
    },
  };
}

/** A merge that is on record. */
interface MergeOnRecord {
  sourceId: string;
  isThrough: boolean;
  begunAt: Date;
}

/** Which clients become others. */
function mergesAmong(rows: Rows<ProcessDocument>) {
  /** The merges into some clients, also by way of others, by the one that each leads to; none of before a month. */
  async function mergesInto(
    workspaceId: string,
    clientIds: readonly string[],
    session: Session,
  ): Promise<Map<string, MergeOnRecord[]>> {
    const leadsTo = new Map(clientIds.map((id) => [id, id]));
    const merges = new Map<string, MergeOnRecord[]>();
    for (let targets = [...leadsTo.keys()]; targets.length > 0; ) {
      const asked = { kind: 'merge' as const, target_client_id: { $in: targets } };
      const found = await rows.of(workspaceId).find(asked, { session }).toArray();
      targets = [];
      for (const { client_id: sourceId, target_client_id: target, ...row } of found) {
        if (leadsTo.has(sourceId)) continue;
        const last = leadsTo.get(target!)!;
        const merge = { sourceId, isThrough: !row.next_attempt_at, begunAt: row.created_at };
        leadsTo.set(sourceId, last);
        merges.set(last, [...(merges.get(last) ?? []), merge]);
        targets.push(sourceId);
      }
    }
    return merges;
  }

  return {
    /**
     * The clients whose merge into one is not through yet, also by way of others: some of what they did may stand under their
     * own ids still.
     */
    async mergingInto(workspaceId: string, clientId: string, session: Session): Promise<string[]> {
      const merges = (await mergesInto(workspaceId, [clientId], session)).get(clientId) ?? [];
      return merges.filter(({ isThrough }) => !isThrough).map(({ sourceId }) => sourceId);
    },

    /**
     * The clients that became part of some others within the last month, by the one that each has become: other services may
     * not have heard of it. Of each the latest hundred at most.
     */
    async mergedInto(
      workspaceId: string,
      clientIds: readonly string[],
      session: Session,
    ): Promise<Map<string, string[]>> {
      const merged = await mergesInto(workspaceId, clientIds, session);
      return new Map(
        [...merged].map(([clientId, merges]) => {
          const inOrder = merges.sort((one, two) => Number(one.begunAt) - Number(two.begunAt));
          return [clientId, inOrder.slice(-MERGED_MAX).map(({ sourceId }) => sourceId)];
        }),
      );
    },
  };
}

/** In whose hands a process is. */
function handsOf(rows: Rows<ProcessDocument>, due: Due<Process>) {
  const open = (id: string) => ({ _id: id, next_attempt_at: { $exists: true } });

  return {
    /** Takes an unfinished one into one's own hands, where it is in no other's, due or not; null where it is. */
    async takeUp(
      { id, workspaceId }: Process,
      now: Date,
      leaseMs: number,
    ): Promise<Process | null> {
      const waits = { ...open(id), lease: { $exists: false }, next_attempt_at: { $gt: now } };
      await rows.of(workspaceId).updateOne(waits, { $set: { next_attempt_at: now } });
      const claimed = await due.claimOne(id, { now, leaseMs });
      return claimed?.row ?? null;
    },

    /** Its maker, or the holder of a claim, keeps it until then. */
    async keep({ id, workspaceId }: Process, until: Date): Promise<void> {
      await rows.of(workspaceId).updateOne(open(id), { $set: { next_attempt_at: until } });
    },

    /** Gives it back: what waits has no holder. */
    async postpone({ id, workspaceId }: Process, until: Date): Promise<void> {
      const given = { $set: { next_attempt_at: until }, $unset: { lease: '' as const } };
      await rows.of(workspaceId).updateOne(open(id), given);
      due.wake(undefined, until);
    },
  };
}

function fromDocument(row: ProcessDocument): Process {
  return {
    id: row._id,
    workspaceId: row.workspace_id,
    kind: row.kind,
    clientId: row.client_id,
    targetClientId: row.target_client_id,
    doneSteps: row.done_steps,
    attempts: row.attempts,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? null,
  };
}
