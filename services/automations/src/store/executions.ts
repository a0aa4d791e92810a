import { createSharedLookups } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { Period } from '../domain/days';
import type { EffectResult, ExecutionStatus } from '../domain/execution';
import type { Award } from '../domain/history';
import {
  type Execution,
  type ExecutionDocument,
  toDocument,
  toExecution,
} from './execution-document';

const COLLECTION = 'executions';
const DUE = { column: 'take_over_at' };

export const executionIndexes: CollectionIndexes = {
  collection: COLLECTION,
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
};

export interface ExecutionFilter {
  ruleId?: string | undefined;
  clientId?: string | undefined;
  status?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export function createExecutionStore(connection: Connection) {
  const executions = connection.collection<ExecutionDocument>(COLLECTION);
  const due = createDue<ExecutionDocument, Execution>(connection, COLLECTION, {
    ...DUE,
    onClaim: { $inc: { attempts: 1 } },
    read: toExecution,
  });
  const lookUp = createSharedLookups<string, Execution>(async (ids) => {
    const rows = await executions.find({ _id: { $in: [...ids] } }).toArray();
    return new Map(rows.map((row) => [row._id, toExecution(row)]));
  });

  return {
    /** Executions that their runner has left behind. */
    due,

    async find(workspaceId: string, id: string): Promise<Execution | null> {
      const document = await executions.findOne({ _id: id, workspace_id: workspaceId });
      return document && toExecution(document);
    },

    /** As `find`; all who ask while a read is under way share the next one. */
    async look(workspaceId: string, id: string): Promise<Execution | null> {
      const found = await lookUp(id);
      return found?.workspaceId === workspaceId ? found : null;
    },

    /** Which rules gave what, and over which events, by execution. */
    async findAwards(
      workspaceId: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Award>> {
      const rows = await executions
        .find({ workspace_id: workspaceId, _id: { $in: [...ids] } })
        .project<Pick<ExecutionDocument, '_id' | 'automation_rule_id' | 'priority' | 'trigger'>>({
          automation_rule_id: 1,
          priority: 1,
          'trigger.eventId': 1,
          'trigger.at': 1,
        })
        .toArray();
      return new Map(
        rows.map(({ _id, automation_rule_id: ruleId, priority = 0, trigger }) => [
          _id,
          { ruleId, priority, eventId: trigger.eventId, at: trigger.at },
        ]),
      );
    },

    /** How many failed since a moment, by rule, with the first of them; the rule with the most first. */
    async countFailedByRule(
      workspaceId: string,
      since: Date,
    ): Promise<{ ruleId: string; count: number; first: Date }[]> {
      const rows = await executions
        .aggregate<{ _id: string; count: number; first: Date }>([
          {
            $match: { workspace_id: workspaceId, status: 'failed', executed_at: { $gte: since } },
          },
          {
            $group: {
              _id: '$automation_rule_id',
              count: { $sum: 1 },
              first: { $min: '$executed_at' },
            },
          },
          { $sort: { count: -1, _id: 1 } },
        ])
        .toArray();
      return rows.map(({ _id, count, first }) => ({ ruleId: _id, count, first }));
    },

    /** Fails as a duplicate key when the event has fired the rule for the client before. */
    async insert(execution: Execution, takeOverAt: Date | null, session: Session): Promise<void> {
      await executions.insertOne(
        {
          ...toDocument(execution),
          ...(takeOverAt ? { take_over_at: takeOverAt } : { ended: true as const }),
        },
        { session },
      );
    },

    /** Notes what came of the next effect; false when another runner of the execution has. */
    async addResult(
      { workspaceId, id, results }: Execution,
      result: EffectResult,
      takeOverAt: Date,
      session: Session,
    ): Promise<boolean> {
      const { matchedCount } = await executions.updateOne(
        {
          _id: id,
          workspace_id: workspaceId,
          status: 'running',
          results: { $size: results.length },
        },
        { $push: { results: result }, $set: { take_over_at: takeOverAt } },
        { session },
      );
      return matchedCount === 1;
    },

    /** Ends an execution; false when somebody else has. */
    async end(execution: Execution, session?: Session): Promise<boolean> {
      const { workspaceId, id, status, results, awarded, errorMessage, durationMs } = execution;
      const { matchedCount } = await executions.updateOne(
        { _id: id, workspace_id: workspaceId, status: 'running' },
        {
          $set: {
            status,
            results,
            points_awarded: awarded,
            error_message: errorMessage,
            executed_at: execution.executedAt,
            duration_ms: durationMs,
            ended: true,
          },
          $unset: { take_over_at: '' },
        },
        session ? { session } : {},
      );
      return matchedCount === 1;
    },

    /** How often a rule ran for a client within a period and did not fail, or runs; no more than `atMost`. */
    async countWithin(
      workspaceId: string,
      { ruleId, clientId }: { ruleId: string; clientId: string },
      { from, until }: Period,
      atMost: number,
      session?: Session,
    ): Promise<number> {
      const filter = {
        ...{ workspace_id: workspaceId, client_id: clientId, automation_rule_id: ruleId },
        // None ends before it begins: this is what the index is read by.
        executed_at: { $gte: from },
        started_at: { $gte: from, ...(until ? { $lt: until } : {}) },
        status: { $in: ['running', 'success'] as ExecutionStatus[] },
      };
      const options = { projection: { _id: 1 }, ...(session ? { session } : {}) };
      return (await executions.find(filter, options).limit(atMost).toArray()).length;
    },

    async list(
      workspaceId: string,
      asked: ExecutionFilter,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ executions: Execution[]; total: number }> {
      const filter = filterOf(workspaceId, asked);
      const [documents, total] = await Promise.all([
        executions
          .find(filter)
          .sort({ executed_at: -1, _id: -1 })
          .skip(offset)
          .limit(limit)
          .toArray(),
        executions.countDocuments(filter),
      ]);
      return { executions: documents.map(toExecution), total };
    },

    /** All of one client, for the right of access. */
    async ofClient(workspaceId: string, clientId: string): Promise<Execution[]> {
      const filter = { workspace_id: workspaceId, client_id: clientId, ended: true as const };
      return (await executions.find(filter, { batchSize: 5_000 }).toArray()).map(toExecution);
    },

    /** Gives a client's executions to another, whom it was merged into. */
    async moveClient(
      workspaceId: string,
      from: string,
      to: string,
      session: Session,
    ): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: from };
      await executions.updateMany(filter, { $set: { client_id: to } }, { session });
    },

    /** Drops what an execution tells about the person; that it took place stays. */
    async scrubClient(workspaceId: string, clientId: string): Promise<void> {
      await executions.updateMany(
        { workspace_id: workspaceId, client_id: clientId },
        {
          $set: {
            'trigger.metadata': '{}',
            'trigger.oldValue': null,
            'trigger.newValue': null,
            'trigger.externalId': null,
          },
        },
      );
      await executions.updateMany(
        { workspace_id: workspaceId, client_id: clientId, ended: true },
        { $set: { effects: [], 'results.$[].value': null } },
      );
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await executions.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function filterOf(workspaceId: string, asked: ExecutionFilter) {
  const { ruleId, clientId, status, from, to } = asked;
  return {
    workspace_id: workspaceId,
    ended: true as const,
    ...(ruleId === undefined ? {} : { automation_rule_id: ruleId }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(status === undefined ? {} : { status: status as ExecutionStatus }),
    ...(from || to
      ? { executed_at: { ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) } }
      : {}),
  };
}
