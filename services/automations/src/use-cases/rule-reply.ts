import type { Json, JsonObject } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { RULE_FIELDS, type Rule, type RuleFields } from '../domain/rule';
import { NO_USAGE, type Usage, usageReport } from '../domain/usage';

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

/** What one rule has used up as a whole. */
export async function usageOf(
  { usages }: Pick<Deps, 'usages'>,
  { workspace_id: workspaceId, id }: Rule,
): Promise<Usage> {
  return (await usages.ofRules(workspaceId, [id])).get(id) ?? NO_USAGE;
}

/** The fields that a request names; absent ones are left out. */
export function fieldsOf(request: api.RuleFields | undefined): Partial<RuleFields> {
  const given = RULE_FIELDS.filter((name) => request?.[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, request![name]])) as Partial<RuleFields>;
}
