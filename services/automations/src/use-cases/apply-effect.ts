import type { Json } from '@laurel/errors';
import { type CloudEvent, createEvent } from '@laurel/events';
import { keptOperation, runInContext, stableId } from '@laurel/lifecycle';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { columnValue, WRITABLE_COLUMNS } from '../domain/client-value';
import type { EffectResult } from '../domain/execution';
import type { PlannedEffect } from '../domain/plan';
import { refusals } from '../refusals';
import type { Execution } from '../store/execution-document';

export interface Applied {
  result: EffectResult;
  /** What others do about it; committed with the note that the effect is done. */
  events: CloudEvent[];
}

/** Which of the effects of an execution is to be done. */
export interface EffectStep {
  position: number;
  /** An attempt whose end was not noted may have done it. */
  mayBeDone: boolean;
}

/** Reasons for which an effect is left out that are of the client: whom it became may have what is wanting. */
const OF_CLIENT: readonly string[] = ['no_marketing_consent', 'no_pass', 'not_in_tier'];

export const isLeftOutForClient = ({ result: { status, reason = '' } }: Applied): boolean =>
  status === 'skipped' && OF_CLIENT.includes(reason);

type Of<Type extends PlannedEffect['type']> = Extract<PlannedEffect, { type: Type }>;

/** Whom an effect is for, and the name under which it takes effect once. */
interface Task {
  execution: Execution;
  operationId: string;
  /** An attempt whose end was not noted may have done it: that nothing is left to do does not mean that nothing was. */
  mayBeDone: boolean;
}

type Apply<Type extends PlannedEffect['type']> = (
  deps: Deps,
  effect: Of<Type>,
  task: Task,
) => Promise<Applied>;

/** Does one effect of an execution. Refusals of the service that does it are thrown as they are. */
export function applyEffect(
  deps: Deps,
  execution: Execution,
  { position, mayBeDone }: EffectStep,
): Promise<Applied> {
  const effect = execution.effects[position]!;
  const operationId = `automation:${execution.id}:${position}`;
  const apply = APPLY[effect.type] as Apply<typeof effect.type>;
  return apply(deps, effect as never, { execution, operationId, mayBeDone });
}

const APPLY: { [Type in PlannedEffect['type']]: Apply<Type> } = {
  async earn_points(deps, effect, { execution, operationId }) {
    if (effect.points === 0) return left(effect.type, 'nothing_to_award');
    const { entry } = await deps.ledger.EarnPoints({
      ...clientOf(execution),
      amount: effect.points,
      wallet_type_code: effect.wallet_type_code,
      description: execution.ruleName,
      ...sourceOf(execution),
      ...(effect.pending_days === null ? {} : { pending_days: effect.pending_days }),
      ...(effect.expiry_days === null ? {} : { expiry_days: effect.expiry_days }),
      metadata: { automation_rule_id: execution.ruleId, automation_execution_id: execution.id },
      operation_id: operationId,
    });
    return moved(effect, entry!);
  },

  async deduct_points(deps, effect, { execution, operationId }) {
    const { entry } = await deps.ledger.SpendPoints({
      ...clientOf(execution),
      amount: effect.amount,
      wallet_type_code: effect.wallet_type_code,
      description: execution.ruleName,
      source_type: 'automation',
      source_id: execution.id,
      metadata: { automation_rule_id: execution.ruleId, automation_execution_id: execution.id },
      operation_id: operationId,
    });
    return moved(effect, entry!);
  },

  async give_reward(deps, effect, { execution, operationId }) {
    const { redemption, coupon } = await deps.rewards.GiveReward({
      ...clientOf(execution),
      reward_id: effect.reward_id,
      source: 'earning_rule',
      metadata: { automation_rule_id: execution.ruleId, automation_execution_id: execution.id },
      operation_id: operationId,
    });
    return done(effect.type, {
      reward_id: effect.reward_id,
      redemption_id: redemption!.id,
      coupon_code: coupon?.code ?? null,
    });
  },

  async update_client_field(deps, effect, { execution, operationId }) {
    const { type, field_name, value } = effect;
    const { workspaceId, clientId } = execution;
    const update = { ...updateOf(effect), workspace_id: workspaceId, id: clientId };
    await onlyOnce(operationId, () => deps.clients.UpdateClient(update));
    return done(type, { field_name, value });
  },

  async send_push(deps, effect, { execution, operationId }) {
    if (execution.trigger.type === 'time_based') {
      const request = { workspace_id: execution.workspaceId, ids: [execution.clientId] };
      const [client] = (await deps.clients.GetClients(request)).clients;
      if (client?.marketing_consent !== true) return left(effect.type, 'no_marketing_consent');
    }
    if (!(await hasPass(deps, execution))) return left(effect.type, 'no_pass');
    const event = createEvent('automations.push_requested', {
      ...envelopeOf(execution, operationId),
      data: { ...originOf(execution), title: effect.title, body: effect.body },
    });
    return done(effect.type, { title: effect.title, body: effect.body }, [event]);
  },

  async call_webhook(deps, effect, { execution, operationId }) {
    const { workspaceId } = execution;
    const webhook = await deps.integrations.GetWebhook({
      workspace_id: workspaceId,
      id: effect.webhook_id,
    });
    if (!webhook.active) return left(effect.type, 'webhook_inactive');
    const event = createEvent('automations.webhook_called', {
      ...envelopeOf(execution, operationId),
      data: {
        ...originOf(execution),
        webhook_id: effect.webhook_id,
        trigger_event_id: execution.trigger.triggerEventId,
        payload: payloadOf(execution),
      },
    });
    return done(effect.type, { webhook_id: effect.webhook_id }, [event]);
  },

  async assign_tier(deps, { type, tier_id, duration_days }, { execution, operationId }) {
    const assignment = { ...clientOf(execution), tier_id, duration_days };
    await onlyOnce(operationId, () => deps.tiers.AssignTier(assignment));
    return done(type, { tier_id, duration_days });
  },

  async remove_tier(deps, effect, { execution, operationId, mayBeDone }) {
    const { placements } = await deps.tiers.GetClientTiers({
      workspace_id: execution.workspaceId,
      client_ids: [execution.clientId],
    });
    const [placement] = placements;
    const isIn = effect.tier_id === null || placement?.tier_id === effect.tier_id;
    if (!mayBeDone && !(placement?.manually_assigned && isIn))
      return left(effect.type, 'not_in_tier');
    const freed = effect.tier_id === null ? {} : { tier_id: effect.tier_id };
    await onlyOnce(operationId, () =>
      deps.tiers.UnassignTier({ ...clientOf(execution), ...freed }),
    );
    return done(effect.type, { tier_id: effect.tier_id });
  },

  async switch_template(deps, effect, { execution, operationId }) {
    const { template_id, duration_days } = effect;
    const missing = await deps.templates.unknownAmong(execution.workspaceId, [template_id]);
    if (missing.length > 0) throw refusals.unknownPassTemplate({ field: 'template_id' });
    if (!(await hasPass(deps, execution))) return left(effect.type, 'no_pass');
    const event = createEvent('automations.template_switch_requested', {
      ...envelopeOf(execution, operationId),
      data: { ...originOf(execution), template_id, duration_days },
    });
    return done(effect.type, { template_id, duration_days }, [event]);
  },
};

/**
 * Asks for what bears no name of its own under that of the effect, for which the answer is kept: asked again, after minutes
 * where a process died, it changes nothing of what people have done since.
 */
const onlyOnce = <T>(operationId: string, ask: () => Promise<T>): Promise<T> =>
  runInContext(keptOperation(operationId), ask);

/** What the clients service is asked to change of a client. */
export function updateOf({ field_name: name, value }: Of<'update_client_field'>) {
  const isColumn = WRITABLE_COLUMNS.includes(name);
  return {
    ...(isColumn ? { [name]: columnValue(name, value) } : {}),
    ...(isColumn ? {} : { custom_fields: { [name]: value } }),
    change_source: 'automation',
  };
}

/** What is for passes does nothing for a client without one. */
async function hasPass(
  { passes }: Pick<Deps, 'passes'>,
  { workspaceId, clientId }: Execution,
): Promise<boolean> {
  const asked = { workspace_id: workspaceId, client_ids: [clientId] };
  return (await passes.ListPassesOfClients(asked)).passes.length > 0;
}

function done(
  type: PlannedEffect['type'],
  details: { [detail: string]: Json },
  events: CloudEvent[] = [],
): Applied {
  return { result: { type, status: 'applied', ...details }, events };
}

/** Points went into a wallet or out of it. */
function moved(
  { type, wallet_type_code }: Of<'earn_points' | 'deduct_points'>,
  { id, amount }: Pick<ledger.Entry, 'id' | 'amount'>,
): Applied {
  return done(type, { points: amount, wallet_type_code, points_ledger_id: id });
}

function left(type: PlannedEffect['type'], reason: string): Applied {
  return { result: { type, status: 'skipped', reason }, events: [] };
}

function clientOf({ workspaceId, clientId }: Execution) {
  return { workspace_id: workspaceId, client_id: clientId };
}

/**
 * Points given for a purchase name it, so that its refund takes them back in proportion; others name
 * the execution.
 */
function sourceOf({ id, trigger }: Execution) {
  return trigger.type === 'transaction' && trigger.eventType === 'purchase'
    ? { source_type: 'transaction', source_id: trigger.eventId }
    : { source_type: 'automation', source_id: id };
}

function originOf({ ruleId, id, clientId }: Execution) {
  return { automation_rule_id: ruleId, automation_execution_id: id, client_id: clientId };
}

/** Trying again makes the same event again. */
function envelopeOf({ workspaceId, clientId, startedAt }: Execution, operationId: string) {
  return { workspaceId, subject: clientId, id: stableId(operationId), time: startedAt };
}

function payloadOf({ trigger }: Execution): Record<string, unknown> {
  return {
    trigger_type: trigger.type,
    event_category: trigger.eventCategory,
    event_type: trigger.eventType,
    event_timestamp: trigger.at.toISOString(),
    amount: trigger.amount,
    currency: trigger.currency,
    field_name: trigger.fieldName,
    old_value: trigger.oldValue,
    new_value: trigger.newValue,
    role: trigger.role,
    metadata: trigger.metadata,
  };
}
