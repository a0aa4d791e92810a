import { type Context, currentContext, Neighbours } from '@laurel/lifecycle';
import {
  type Connection,
  collection,
  type Rows,
  refusedAsDuplicates,
  type Session,
} from '@laurel/mongo';
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
  growth: {
    per: 'redemption on its way',
    end: 'when it is made or undone',
    shardKey: 'hashed _id',
    wayOut: {
      operation_unique: 'the digest of the operation as `_id`',
    },
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
  context: Partial<Context>;
}

/** Names an attempt; several that are named together are of one workspace. */
type Named = Pick<Attempt, 'id' | 'workspace_id'>;

/** Every step of an attempt is a guarded move from one state to the next. What comes at once is written at once. */
export function createAttemptStore(connection: Connection) {
  const rows = attempts.open(connection);
  const inserting = new Neighbours<AttemptDocument, boolean>((waiting) =>
    insertEach(
      rows,
      waiting.map(({ item }) => item),
    ),
  );

  return {
    /** Attempts that no process works on any more, and failed ones that are looked at again. */
    due: createDue<AttemptDocument, AbandonedAttempt>(connection, attempts.collection, {
      read: toAbandoned,
    }),

    /** False while the same operation is on its way. */
    async insert(attempt: Attempt, operationKey: string, dueAt: Date): Promise<boolean> {
      const { id, ...columns } = attempt;
      const { deadlineAt: _deadline, ...context } = currentContext();
      return inserting.run(attempt.workspace_id, {
        _id: id,
        ...columns,
        operation_key: operationKey,
        due_at: dueAt,
        context: JSON.parse(JSON.stringify(context)),
      });
    },

    isRunning: (workspaceId: string, operationKey: string): Promise<boolean> =>
      rows.of(workspaceId).has({ operation_key: operationKey }),

    isAnyOf: (workspaceId: string, rewardId: string): Promise<boolean> =>
      rows.of(workspaceId).has({ reward_id: rewardId, state: { $ne: 'failed' } }),

    async stateOf(workspaceId: string, id: string): Promise<AttemptState | null> {
      const projection = { state: 1 };
      return (await rows.of(workspaceId).findOne({ _id: id }, { projection }))?.state ?? null;
    },

    /** Begins to undo one that is no redemption yet; false when it was moved on from that state meanwhile. */
    async compensate({ id, workspace_id }: Named, from: string, dueAt: Date): Promise<boolean> {
      const filter = { _id: id, state: from as AttemptState };
      const change = { $set: { state: 'compensating' as const, due_at: dueAt } };
      return (await rows.of(workspace_id).updateOne(filter, change)).modifiedCount === 1;
    },

    /** Everything is undone. Until then it holds what a repeat of the operation would take for somebody else's. */
    async fail({ id, workspace_id }: Named, dueAt: Date): Promise<void> {
      const filter = { _id: id, state: 'compensating' as const };
      const change = {
        $set: { state: 'failed' as const, due_at: dueAt },
        $unset: { operation_key: '' as const, lease: '' as const },
      };
      await rows.of(workspace_id).updateOne(filter, change);
    },

    /** They are redemptions now; how many of them were still open. */
    async fulfilAll(named: readonly Named[], dueAt: Date, session: Session): Promise<number> {
      const filter = { _id: { $in: named.map(({ id }) => id) }, state: 'open' as const };
      const change = { $set: { state: 'settling' as const, due_at: dueAt } };
      const own = rows.of(named[0]!.workspace_id);
      return (await own.updateMany(filter, change, { session })).modifiedCount;
    },

    async removeAll(named: readonly Named[], state: AttemptState): Promise<void> {
      const filter = { _id: { $in: named.map(({ id }) => id) }, state };
      await rows.of(named[0]!.workspace_id).deleteMany(filter);
    },
  };
}

/** Whether each of them was written; those of operations on their way are not. */
async function insertEach(
  rows: Pick<Rows<AttemptDocument>, 'insertMany'>,
  documents: AttemptDocument[],
): Promise<boolean[]> {
  const refused = await refusedAsDuplicates(() => rows.insertMany(documents, { ordered: false }));
  return documents.map((_, place) => !refused.has(place));
}

function toAbandoned(document: AttemptDocument): AbandonedAttempt {
  const context = document.context as Partial<Context>;
  return { attempt: toAttempt(document), context };
}
