import { toDecimal, toUnits, type Units, ZERO } from '@laurel/amount';
import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Facts } from '../domain/facts';
import { type PlannedEffect, summaryOf } from '../domain/plan';
import { isWithinWindow, type Rule, type TriggerType } from '../domain/rule';
import { matches, type Trigger, trigger } from '../domain/trigger';
import { addCapped, limitPassed } from '../domain/usage';
import { refusals } from '../refusals';
import { considerRule } from './consider-rule';
import { gatherFacts } from './gather-facts';

type SkipReason =
  | 'inactive'
  | 'outside_window'
  | 'trigger_mismatch'
  | 'condition_failed'
  | 'limit_reached';
type Answer =
  | { rule: Rule; effects: PlannedEffect[]; points: Units }
  | { rule: Rule; reason: SkipReason; detail: string };

/** What the rules would do about a synthetic event, as things stand; nothing is executed or written. */
export async function simulate(deps: Deps, request: api.SimulateRequest): Promise<api.Simulation> {
  const { workspace_id: workspaceId, client_id: clientId, rule_ids: ruleIds } = request;
  const facts = await gatherFacts(deps, workspaceId, clientId);
  if (!facts) throw refusals.noSuchClient({ field: 'client_id' });
  const happened = toTrigger(request, deps.clock.now());
  const all = await deps.rules.list(workspaceId, ruleIds === undefined ? true : undefined);
  const asked = ruleIds === undefined ? all : all.filter(({ id }) => ruleIds.includes(id));
  const answers = await Promise.all(asked.map((rule) => judge(deps, rule, happened, facts)));
  const matched = answers.filter((answer) => 'effects' in answer);
  const skipped = answers.filter((answer) => 'reason' in answer);
  return {
    matched: matched.map(({ rule, effects, points }) => ({
      rule_id: rule.id,
      name: rule.name,
      priority: rule.priority,
      effects: effects.map(toEffectReply),
      points: toDecimal(points),
    })),
    skipped: skipped.map(({ rule, reason, detail }) => ({
      rule_id: rule.id,
      name: rule.name,
      reason,
      detail,
    })),
    total_points: toDecimal(matched.reduce((sum, { points }) => addCapped(sum, points), ZERO)),
  };
}

async function judge(deps: Deps, rule: Rule, happened: Trigger, facts: Facts): Promise<Answer> {
  const skip = (reason: SkipReason, detail: string): Answer => ({ rule, reason, detail });
  if (!rule.active) return skip('inactive', 'the rule is switched off');
  if (!isWithinWindow(rule, happened.at))
    return skip('outside_window', 'the event is outside of the activity window');
  if (!matches(rule, happened))
    return skip('trigger_mismatch', `the rule does not ask for ${happened.eventType}`);
  const verdict = await considerRule(deps, rule, happened, facts);
  if ('unmet' in verdict) return skip('condition_failed', verdict.unmet);
  if ('failure' in verdict)
    return skip('condition_failed', `the rule would fail: ${verdict.failure}`);
  const { effects, points } = verdict.plan;
  const key = { workspaceId: rule.workspace_id, ruleId: rule.id, clientId: happened.clientId };
  const limit = limitPassed(rule.limits, await deps.usages.find(key), points, facts.now);
  return limit ? skip('limit_reached', `${limit} is used up`) : { rule, effects, points };
}

const CATEGORIES: Readonly<Record<string, string>> = { custom_event: 'custom' };

function toTrigger({ client_id: clientId, event }: api.SimulateRequest, now: Date): Trigger {
  const asked = event!;
  const type = asked.trigger_type as TriggerType;
  return trigger({
    type,
    eventId: newId(),
    eventType: asked.event_type,
    eventCategory: CATEGORIES[type] ?? type,
    clientId,
    at: asked.event_timestamp === undefined ? now : new Date(asked.event_timestamp),
    amount: asked.amount ?? null,
    currency: asked.currency ?? null,
    fieldName: asked.field_name ?? null,
    oldValue: asked.old_value ?? null,
    newValue: asked.new_value ?? null,
    role: (asked.role ?? null) as Trigger['role'],
    source: 'simulation',
    metadata: (asked.metadata ?? {}) as JsonObject,
  });
}

function toEffectReply(effect: PlannedEffect): api.PlannedEffect {
  const { type } = effect;
  return {
    type,
    summary: summaryOf(effect),
    ...(type === 'earn_points' ? { points: toDecimal(toUnits(effect.points)) } : {}),
    ...(type === 'deduct_points' ? { points: -effect.amount } : {}),
    ...('wallet_type_code' in effect ? { wallet_type_code: effect.wallet_type_code } : {}),
    ...('reward_id' in effect ? { reward_id: effect.reward_id } : {}),
    ...('tier_id' in effect && effect.tier_id !== null ? { tier_id: effect.tier_id } : {}),
  };
}
