import { type Units, unitsOf } from '@laurel/amount';
import type { JsonObject } from '@laurel/errors';
import type { Room } from '@laurel/lifecycle';
import {
  type CollectionIndexes,
  type Connection,
  createFairClaims,
  dueIndex,
  type Session,
} from '@laurel/mongo';
import type { Period } from '../domain/days';
import type { EffectResult, ExecutionStatus } from '../domain/execution';
import type { PlannedEffect } from '../domain/plan';
import type { Trigger } from '../domain/trigger';

const COLLECTION = 'executions';
const DUE = { due: 'take_over_at' };

export interface Execution {
  /** Made from rule, event and client, so that one event fires one rule once per client. */
  id: string;
  workspaceId: string;
  ruleId: string;
  /** As the rule was called when it decided: what customers read beside its points. */
  ruleName: string;
  clientId: string;
  trigger: Trigger;
  effects: PlannedEffect[];
  results: EffectResult[];
  status: ExecutionStatus;
  /** Points that budgets have set aside for it. */
  reserved: Units;
  awarded: Units;
  errorMessage: string | null;
  startedAt: Date;
  executedAt: Date;
  durationMs: number;
  /** Rules that led here, this one not included, oldest first. */
  chain: string[];
  depth: number;
  attempts: number;
}

/** Metadata is anybody's JSON, whose member names a store may not take: it is kept as text. */
type TriggerDocument = Omit<Trigger, 'metadata'> & { metadata: string };

interface ExecutionDocument {
  _id: string;
  workspace_id: string;
  automation_rule_id: string;
  rule_name?: string;
  client_id: string;
  trigger: TriggerDocument;
  effects: PlannedEffect[];
  results: EffectResult[];
  status: ExecutionStatus;
  reserved: number;
  points_awarded: number;
  error_message: string | null;
  started_at: Date;
  executed_at: Date;
  duration_ms: number;
  chain: string[];
  depth: number;
  attempts: number;
  /** There once it has ended: what lists are made of. */
  ended?: true;
  /** There while it runs: when somebody else takes it over. */
  take_over_at?: Date;
}

export const executionIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { workspace_id: 1, executed_at: -1 }, name: 'of_workspace' },
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

export type ExecutionStore = ReturnType<typeof createExecutionStore>;

export function createExecutionStore(connection: Connection) {
  const executions = connection.collection<ExecutionDocument>(COLLECTION);
  const claim = createFairClaims<ExecutionDocument>(connection, COLLECTION, DUE);

  return {
    async find(workspaceId: string, id: string): Promise<Execution | null> {
      const document = await executions.findOne({ _id: id, workspace_id: workspaceId });
      return document && toExecution(document);
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
    async end(execution: Execution, session: Session): Promise<boolean> {
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
        { session },
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

    /** Takes over what its runner left, each for `forMs`; workspaces take turns. */
    async claimAbandoned(room: Room, now: Date, forMs: number): Promise<Execution[]> {
      const until = new Date(now.getTime() + forMs);
      return (await claim(room, { now, until, inc: { attempts: 1 } })).map(toExecution);
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

function toDocument(execution: Execution): ExecutionDocument {
  return {
    _id: execution.id,
    workspace_id: execution.workspaceId,
    automation_rule_id: execution.ruleId,
    rule_name: execution.ruleName,
    client_id: execution.clientId,
    trigger: { ...execution.trigger, metadata: JSON.stringify(execution.trigger.metadata) },
    effects: execution.effects,
    results: execution.results,
    status: execution.status,
    reserved: execution.reserved,
    points_awarded: execution.awarded,
    error_message: execution.errorMessage,
    started_at: execution.startedAt,
    executed_at: execution.executedAt,
    duration_ms: execution.durationMs,
    chain: execution.chain,
    depth: execution.depth,
    attempts: execution.attempts,
  };
}

function toExecution(document: ExecutionDocument): Execution {
  return {
    id: document._id,
    workspaceId: document.workspace_id,
    ruleId: document.automation_rule_id,
    ruleName: document.rule_name ?? 'automation rule',
    clientId: document.client_id,
    trigger: { ...document.trigger, metadata: JSON.parse(document.trigger.metadata) as JsonObject },
    effects: document.effects,
    results: document.results,
    status: document.status,
    reserved: unitsOf(document.reserved),
    awarded: unitsOf(document.points_awarded),
    errorMessage: document.error_message,
    startedAt: document.started_at,
    executedAt: document.executed_at,
    durationMs: document.duration_ms,
    chain: document.chain,
    depth: document.depth,
    attempts: document.attempts,
  };
}
