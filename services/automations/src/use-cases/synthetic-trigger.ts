import type { TriggerType } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { automations as api } from '@laurel/rpc';
import { type Trigger, trigger } from '../domain/trigger';

const CATEGORIES: Readonly<Record<string, string>> = { custom_event: 'custom' };

/** An event that somebody made up, as rules see it. */
export function syntheticTrigger(clientId: string, asked: api.SyntheticEvent, now: Date): Trigger {
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
    isSynthetic: true,
    metadata: (asked.metadata ?? {}) as JsonObject,
  });
}
