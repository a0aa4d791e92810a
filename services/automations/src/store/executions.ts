import { createSharedLookups } from '@laurel/lifecycle';
import {
  type Connection,
  collection,
  type Erasure,
  numberedPage,
  type Rows,
  removeOlder,
  type Session,
  type Unit,
} from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { EffectResult } from '../domain/execution';
import {
  type Execution,
  type ExecutionDocument,
  toDocument,
  toExecution,
} from './execution-document';
import { type ExecutionFilter, filterOf } from './execution-filter';
import { countsOf, reportsOf } from './execution-reports';

const DUE = { column: 'take_over_at' };

/** So many are read at once: each keeps what led to it. */
const EXPORT_BATCH = 200;
const NEWEST_FIRST = { executed_at: -1, _id: -1 } as const;

export const executions = collection<ExecutionDocument>('executions', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'moves',
    anonymized: scrub,
    deleted: 'as anonymized',
    exported: 'by hand: use-cases/export-client.ts',
  },
  growth: {
    per: 'event, rule and client',
    end: 'RETENTION_AUTOMATION_EXECUTIONS_DAYS (730) after it ended',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { workspace_id: 1, executed_at: -1 }, name: 'of_workspace' },
    {
      key: { workspace_id: 1, status: 1, executed_at: -1 },
      name: 'failed',
      partialFilterExpression: { status: 'failed' },
    },
    { key: { workspace_id: 1, client_id: 1, executed_at: -1 }, name: 'of_client' },
    { key: { workspace_id: 1, automation_rule_id: 1, executed_at: -1 }, name: 'of_rule' },
    dueIndex(DUE),
  ],
});

/** What was decided on, and from when on another may take it over; null where nothing is left to do. */
export interface Decided {
  execution: Execution;
  takeOverAt: Date | null;
}

export function createExecutionStore(connection: Connection) {
  const rows = executions.open(connection);
  const due = createDue<ExecutionDocument, Execution>(connection, executions.collection, {
    ...DUE,
    onClaim: { $inc: { attempts: 1 } },
    read: (document) => ({ ...toExecution(document), isTakenOver: true }),
  });
  return {
    /** Executions that their runner has left behind. */
    due,
    ...readsOf(rows),
    ...reportsOf(rows),
    ...countsOf(rows),
    ...stepsOf(rows),

    /** Writes down several at once; fails as a duplicate key where an event has fired the rule for the client before. */
    async insertAll(decided: readonly Decided[], session: Session): Promise<void> {
      const documents = decided.map(({ execution, takeOverAt }) => ({
        ...toDocument(execution),
        ...(takeOverAt ? { take_over_at: takeOverAt } : { ended: true as const }),
      }));
      await rows.insertMany(documents, { session });
    },

    /** Removes a piece of those that ended before a moment; says whether more are left. */
    removeEnded: (before: Date): Promise<{ more: boolean }> =>
      removeOlder(connection, {
        collection: executions.collection,
        column: 'executed_at',
        before,
        where: { ended: true },
      }),
  };
}

/** An execution on its way to its end. */
function stepsOf(rows: Rows<ExecutionDocument>) {
  return {
    /** Notes what came of the next effect; false when another runner of the execution has. */
    async addResult(
      { workspaceId, id, results }: Execution,
      { result, takeOverAt }: { result: EffectResult; takeOverAt: Date },
      session: Session,
    ): Promise<boolean> {
      const { matchedCount } = await rows.of(workspaceId).updateOne(
        {
          _id: id,
          status: 'running',
          results: { $size: results.length },
        },
        { $push: { results: result }, $set: { take_over_at: takeOverAt } },
        { session },
      );
      return matchedCount === 1;
    },

    /**
     * Ends an execution; false when somebody else has. One that was taken over stays due until its claim is finished: what
     * was written for a client who has departed is caught up with first.
     */
    async end(execution: Execution, session?: Session): Promise<boolean> {
      const { filter, update } = ending(execution);
      const own = rows.of(execution.workspaceId);
      const { matchedCount } = await own.updateOne(filter, update, { session });
      return matchedCount === 1;
    },

    /** Ends several in one write, each as `end` does; false where somebody else has ended one of them. */
    async endAll(executions: readonly Execution[]): Promise<boolean> {
      const writes = executions.map((execution) => {
        const { filter, update } = ending(execution);
        const own = { ...filter, workspace_id: execution.workspaceId };
        return { updateOne: { filter: own, update } };
      });
      const { matchedCount } = await rows.bulkWrite(writes, { ordered: false });
      return matchedCount === executions.length;
    },
  };
}

const ending = ({ id, isTakenOver, ...execution }: Execution) => ({
  filter: { _id: id, status: 'running' as const },
  update: {
    $set: {
      status: execution.status,
      results: execution.results,
      points_awarded: execution.awarded,
      error_message: execution.errorMessage,
      executed_at: execution.executedAt,
      duration_ms: execution.durationMs,
      ended: true as const,
    },
    ...(isTakenOver ? {} : { $unset: { take_over_at: '' as const } }),
  },
});

/** Executions as they are shown, ended ones in lists. */
function readsOf(rows: Rows<ExecutionDocument>) {
  const lookUp = createSharedLookups<string, Execution>(async (ids) => {
    const found = await rows.ofEverybody.find({ _id: { $in: [...ids] } }).toArray();
    return new Map(found.map((row) => [row._id, toExecution(row)]));
  });

  return {
    async find(workspaceId: string, id: string): Promise<Execution | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id });
      return document && toExecution(document);
    },

    /** As `find`; all who ask while a read is under way share the next one. */
    async look(workspaceId: string, id: string): Promise<Execution | null> {
      const found = await lookUp(id);
      return found?.workspaceId === workspaceId ? found : null;
    },

    /** All that ended for a client, oldest first, read as it is taken. */
    async *endedOf(workspaceId: string, clientId: string): AsyncIterable<Execution> {
      const found = rows
        .of(workspaceId)
        .find({ client_id: clientId, ended: true })
        .sort({ executed_at: 1 })
        .batchSize(EXPORT_BATCH);
      for await (const row of found) yield toExecution(row);
    },

    /** What rules did for a client about an event, ended or not, in the order in which they began. */
    async ofEvent(
      workspaceId: string,
      { clientId, eventId }: { clientId: string; eventId: string },
      since: Date,
    ): Promise<Execution[]> {
      const filter = { client_id: clientId, executed_at: { $gte: since } };
      const found = await rows
        .of(workspaceId)
        .find({ ...filter, 'trigger.eventId': eventId })
        .sort({ started_at: 1, _id: 1 })
        .toArray();
      return found.map(toExecution);
    },

    async list(
      workspaceId: string,
      asked: ExecutionFilter,
      page: { limit: number; offset: number },
    ): Promise<{ executions: Execution[]; total: number }> {
      const listing = { filter: filterOf(asked), sort: NEWEST_FIRST };
      const { documents, total } = await numberedPage(rows.of(workspaceId), listing, page);
      return { executions: documents.map(toExecution), total };
    },
  };
}

/** What stands where a failure may have quoted the person: formulas and services say over which value they failed. */
const ERASED_REASON = 'the reason was removed with the data of the client';

/** Drops what an execution tells about the person; that it took place stays, and that it failed. */
async function scrub(
  { rows, session }: Unit<ExecutionDocument>,
  { clientId }: Erasure,
): Promise<void> {
  const trigger = {
    'trigger.metadata': '{}',
    'trigger.oldValue': null,
    'trigger.newValue': null,
    'trigger.externalId': null,
  };
  await rows.updateMany({ client_id: clientId }, { $set: trigger }, { session });
  const effects = { effects: [], 'results.$[].value': null };
  await rows.updateMany({ client_id: clientId, ended: true }, { $set: effects }, { session });
  const failure = { error_message: ERASED_REASON, 'results.$[failed].reason': ERASED_REASON };
  await rows.updateMany(
    { client_id: clientId, status: 'failed' },
    { $set: failure },
    { session, arrayFilters: [{ 'failed.status': 'failed' }] },
  );
}
