import type { JsonObject } from '@laurel/errors';
import { type Units, unitsOf } from '@laurel/values/amount';
import type { EffectResult, ExecutionStatus } from '../domain/execution';
import type { PlannedEffect } from '../domain/plan';
import type { Trigger } from '../domain/trigger';

export interface Execution {
  /** Made from rule, event and client, so that one event fires one rule once per client. */
  id: string;
  workspaceId: string;
  ruleId: string;
  /** As the rule was called when it decided: what customers read beside its points. */
  ruleName: string;
  /** Of the rule when it decided: where it stood among those that ran over the same event. */
  priority: number;
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
  /** Its runner has left it behind, and it is in the hands of the sweeper. */
  isTakenOver?: true;
}

/** Metadata is anybody's JSON, whose member names a store may not take: it is kept as text. */
type TriggerDocument = Omit<Trigger, 'metadata'> & { metadata: string };

/** An execution as it is stored. */
export interface ExecutionDocument {
  _id: string;
  workspace_id: string;
  automation_rule_id: string;
  rule_name?: string;
  priority?: number;
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
  /** There while it runs, and until one that was taken over is done with: when somebody else takes it over. */
  take_over_at?: Date;
}

export function toDocument(execution: Execution): ExecutionDocument {
  return {
    _id: execution.id,
    workspace_id: execution.workspaceId,
    automation_rule_id: execution.ruleId,
    rule_name: execution.ruleName,
    priority: execution.priority,
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

export function toExecution(document: ExecutionDocument): Execution {
  return {
    id: document._id,
    workspaceId: document.workspace_id,
    ruleId: document.automation_rule_id,
    ruleName: document.rule_name ?? 'automation rule',
    priority: document.priority ?? 0,
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
