import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';

const COLLECTION = 'processes';
const DUE = { column: 'next_attempt_at' };
const KEPT_SECONDS = 30 * 86_400;

export const processIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    dueIndex(DUE),
    { key: { finished_at: 1 }, name: 'finished_ttl', expireAfterSeconds: KEPT_SECONDS },
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
  ],
};

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

export function createProcessStore(connection: Connection) {
  const processes = connection.collection<ProcessDocument>(COLLECTION);
  const counted = { ...DUE, onClaim: { $inc: { attempts: 1 } } };
  const due = createDue<ProcessDocument, Process>(connection, COLLECTION, {
    ...counted,
    read: fromDocument,
  });

  return {
    /** Processes that their makers did not finish, or that are to be tried again. */
    due,

    /** Nobody else picks it up before `firstAttemptBy`: until then it is its maker's. */
    async insert(process: Process, firstAttemptBy: Date, session: Session): Promise<void> {
      await processes.insertOne(
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
      const row = await processes.findOne({
        workspace_id: workspaceId,
        client_id: clientId,
        kind,
        next_attempt_at: { $exists: true },
      });
      return row && fromDocument(row);
    },

    async markStep(id: string, step: string): Promise<void> {
      await processes.updateOne({ _id: id }, { $addToSet: { done_steps: step } });
    },

    async postpone(id: string, until: Date): Promise<void> {
      await processes.updateOne(
        { _id: id, next_attempt_at: { $exists: true } },
        { $set: { next_attempt_at: until } },
      );
      due.wake(undefined, until);
    },

    async finish(id: string, at: Date): Promise<void> {
      await processes.updateOne(
        { _id: id },
        { $set: { finished_at: at }, $unset: { next_attempt_at: '' } },
      );
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await processes.deleteMany({ workspace_id: workspaceId });
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
