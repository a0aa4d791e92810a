import { type Context, currentContext } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { Attempt, AttemptState } from '../domain/redemption';
import { type AttemptDocument, toAttempt } from './mapping';

const COLLECTION = 'attempts';

export const attemptIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    {
      key: { workspace_id: 1, operation_key: 1 },
      name: 'operation_unique',
      unique: true,
      partialFilterExpression: { operation_key: { $exists: true } },
    },
    { key: { workspace_id: 1, reward_id: 1 }, name: 'reward' },
    dueIndex(),
  ],
};

/** An attempt and the context that it was started in. */
export interface AbandonedAttempt {
  attempt: Attempt;
  /** undefined once it failed. */
  operationKey: string | undefined;
  context: Partial<Context>;
}

export interface Progress {
  to: AttemptState;
  dueAt: Date;
  set?: Partial<Pick<Attempt, 'points_ledger_id'>>;
}

/** Redemptions on their way. Every step is a guarded move from one state to the next. */
export function createAttemptStore(connection: Connection) {
  const attempts = connection.collection<AttemptDocument>(COLLECTION);

  return {
    /** Attempts that nobody works on any more, and failed ones at their last look. */
    due: createDue<AttemptDocument, AbandonedAttempt>(connection, COLLECTION, {
      read: toAbandoned,
    }),

    /** Fails as a duplicate key while the same operation is on its way. */
    async insert(attempt: Attempt, operationKey: string, dueAt: Date): Promise<void> {
      const { id, ...columns } = attempt;
      const { deadlineAt: _deadline, ...context } = currentContext();
      const document = {
        _id: id,
        ...columns,
        operation_key: operationKey,
        due_at: dueAt,
        context: JSON.parse(JSON.stringify(context)),
      };
      await attempts.insertOne(document);
    },

    async isRunning(workspaceId: string, operationKey: string): Promise<boolean> {
      const filter = { workspace_id: workspaceId, operation_key: operationKey };
      return (await attempts.findOne(filter, { projection: { _id: 1 } })) !== null;
    },

    async isAnyOf(workspaceId: string, rewardId: string): Promise<boolean> {
      const filter = { workspace_id: workspaceId, reward_id: rewardId, state: { $ne: 'failed' } };
      return (await attempts.findOne(filter as object, { projection: { _id: 1 } })) !== null;
    },

    async stateOf(workspaceId: string, id: string): Promise<AttemptState | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      return (await attempts.findOne(filter, { projection: { state: 1 } }))?.state ?? null;
    },

    /** Moves on from `from`; false when it was no longer there. */
    async advance(
      workspaceId: string,
      id: string,
      from: AttemptState,
      { to, dueAt, set = {} }: Progress,
      session?: Session,
    ): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId, state: from };
      // Until then it holds what a repeat of the operation would take for somebody else's.
      const isUndone = to === 'failed';
      const change = {
        $set: { state: to, due_at: dueAt, ...set },
        ...(isUndone ? { $unset: { operation_key: '' as const } } : {}),
      };
      const moved = session
        ? await attempts.updateOne(filter, change, { session })
        : await attempts.updateOne(filter, change);
      return moved.modifiedCount === 1;
    },

    async remove(workspaceId: string, id: string, state: AttemptState): Promise<void> {
      const filter = { _id: id, workspace_id: workspaceId, state };
      await attempts.deleteOne(filter);
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await attempts.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function toAbandoned(document: AttemptDocument): AbandonedAttempt {
  const context = document.context as Partial<Context>;
  return { attempt: toAttempt(document), operationKey: document.operation_key, context };
}
