import type { EventOf } from '@laurel/events';
import type { ClientNotification } from './notify-client';
import type { ClientTemplateSwitch } from './switch-client-template';

const DAY_MS = 86_400_000;

/** What a rule wants to be read. */
export function automationPush(event: EventOf<'automations.push_requested'>): ClientNotification {
  const { client_id, title, body } = event.data;
  return { ...clientOf(event, client_id), text: title ? `${title}\n${body}` : body, tokens: {} };
}

/** What is to be read after a redemption. */
export function rewardNotification(
  event: EventOf<'rewards.notification_requested'>,
): ClientNotification {
  const { client_id, body, tokens } = event.data;
  return { ...clientOf(event, client_id), text: body, tokens: { ...tokens } };
}

/** What is to be read after a change of tier. */
export function tierNotification(
  event: EventOf<'tiers.notification_requested'>,
): ClientNotification {
  const { client_id, body, tier, previous_tier } = event.data;
  const name = tier?.name ?? null;
  const tokens = { tier: name, tier_name: name, previous_tier: previous_tier?.name ?? null };
  return { ...clientOf(event, client_id), text: body, tokens };
}

/** A template that a rule asked for; a temporary one counts from when it was asked. */
export function automationSwitch(
  event: EventOf<'automations.template_switch_requested'>,
): ClientTemplateSwitch {
  const { client_id, template_id, duration_days: days } = event.data;
  const expiresAt = days === null ? null : new Date(Date.parse(event.time) + days * DAY_MS);
  return { ...clientOf(event, client_id), templateId: template_id, expiresAt };
}

function clientOf(event: { workspaceid: string; source: string }, clientId: string) {
  const source = event.source.replace('/laurel/', '').replace(/s$/, '');
  return { workspaceId: event.workspaceid, clientId, source };
}
