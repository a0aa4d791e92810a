import { type Context, currentContext } from '@laurel/lifecycle';
import { type Connection, collection, type Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { Attempt, AttemptState } from '../domain/redemption';
import { type AttemptDocument, toAttempt } from './mapping';

/** Redemptions on their way. */
export const attempts = collection<AttemptDocument>('attempts', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'stays: settle-attempt.ts asks who the client is once everything is written',
    anonymized: { set: { metadata: {} } },
    deleted: 'as anonymized',
    exported: 'withheld: within seconds it is a redemption, or was undone',
  },
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
});

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

/** Every step of an attempt is a guarded move from one state to the next. */
export function createAttemptStore(connection: Connection) {
  const rows = attempts.open(connection);

  return {
    /** Attempts that nobody works on any more, and failed ones at their last look. */
    due: createDue<AttemptDocument, AbandonedAttempt>(connection, attempts.collection, {
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
      await rows.insertOne(document);
    },

    isRunning: (workspaceId: string, operationKey: string): Promise<boolean> =>
      rows.of(workspaceId).has({ operation_key: operationKey }),

    isAnyOf: (workspaceId: string, rewardId: string): Promise<boolean> =>
      rows.of(workspaceId).has({ reward_id: rewardId, state: { $ne: 'failed' } }),

    async stateOf(workspaceId: string, id: string): Promise<AttemptState | null> {
      const projection = { state: 1 };
      return (await rows.of(workspaceId).findOne({ _id: id }, { projection }))?.state ?? null;
    },

    /** Moves on from `from`; false when it was no longer there. */
    async advance(
      workspaceId: string,
      id: string,
      from: AttemptState,
      { to, dueAt, set = {} }: Progress,
      session?: Session,
    ): Promise<boolean> {
      // Until then it holds what a repeat of the operation would take for somebody else's.
      const isUndone = to === 'failed';
      const change = {
        $set: { state: to, due_at: dueAt, ...set },
        ...(isUndone ? { $unset: { operation_key: '' as const } } : {}),
      };
      const filter = { _id: id, state: from };
      const moved = await rows.of(workspaceId).updateOne(filter, change, { session });
      return moved.modifiedCount === 1;
    },

    async remove(workspaceId: string, id: string, state: AttemptState): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: id, state });
    },
  };
}

function toAbandoned(document: AttemptDocument): AbandonedAttempt {
  const context = document.context as Partial<Context>;
  return { attempt: toAttempt(document), operationKey: document.operation_key, context };
}
