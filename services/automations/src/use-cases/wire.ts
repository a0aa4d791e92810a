import type { Json, JsonObject } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import { toDecimal, total } from '@laurel/values/amount';
import { approximationsInPast } from '../domain/history';
import { RULE_FIELDS, type Rule, type RuleFields } from '../domain/rule';
import { type Usage, usageReport } from '../domain/usage';
import type { Backtest } from '../store/backtests';
import type { Execution } from '../store/execution-document';

/** A rule as the API shows it. */
export function toRuleReply(rule: Rule, used: Usage): api.Rule {
  return {
    id: rule.id,
    workspace_id: rule.workspace_id,
    ...(rule.key ? { key: rule.key } : {}),
    name: rule.name,
    description: rule.description,
    active: rule.active,
    priority: rule.priority,
    trigger_type: rule.trigger_type,
    trigger_config: rule.trigger_config as JsonObject,
    conditions: rule.conditions as unknown as Json,
    effects: rule.effects as unknown as Json,
    limits: rule.limits as JsonObject,
    activity_window: rule.activity_window as JsonObject,
    expiry_override: rule.expiry_override as Json,
    date_created: rule.date_created.toISOString(),
    date_updated: rule.date_updated.toISOString(),
    usage: usageReport(rule.limits, used),
  };
}

/** The fields that a request names; absent ones are left out. */
export function fieldsOf(request: api.RuleFields | undefined): Partial<RuleFields> {
  const given = RULE_FIELDS.filter((name) => request?.[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, request![name]])) as Partial<RuleFields>;
}

/** An execution as the API shows it. */
export function toExecutionReply(execution: Execution): api.Execution {
  return {
    id: execution.id,
    automation_rule_id: execution.ruleId,
    client_id: execution.clientId,
    workspace_id: execution.workspaceId,
    trigger_event_id: execution.trigger.triggerEventId,
    effects_applied: execution.results as unknown as Json,
    points_awarded: toDecimal(execution.awarded),
    status: execution.status,
    error_message: execution.errorMessage,
    executed_at: execution.executedAt.toISOString(),
    chain: execution.chain,
    duration_ms: execution.durationMs,
  };
}

/** A backtest as the API shows it: what it found so far. */
export function toBacktestReply(backtest: Backtest): api.Backtest {
  const { id, status, progress, tally, error, rule } = backtest;
  const { events, matches, clients, points, days, sample } = tally;
  const decimal = (units: number) => toDecimal(total(units));
  return {
    id,
    status,
    progress,
    events_replayed: events,
    matches,
    clients,
    points: decimal(points),
    by_day: days.map((day) => ({ ...day, points: decimal(day.points) })),
    sample,
    approximations: approximationsInPast(rule),
    error,
  };
}
