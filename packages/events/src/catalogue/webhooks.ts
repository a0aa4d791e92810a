import Joi from 'joi';
import { defineEvent } from './define';
import { anyObject, id, nullableId, sample, text } from './fields';

export interface AutomationWebhook {
  /** The one endpoint that gets it, whatever its event_types say. */
  webhook_id: string;
  automation_rule_id: string;
  automation_execution_id: string;
  client_id: string;
  /** The event that fired the rule; null on a time_based run. */
  trigger_event_id: string | null;
  payload: Record<string, unknown>;
}
export interface WebhookTest {
  webhook_id: string;
  message: string;
}

/** Events that exist for the sake of outbound webhooks. */
export const webhookEvents = [
  defineEvent({
    type: 'automations.webhook_called',
    webhook: 'automation.webhook',
    version: 1,
    source: 'automations',
    description:
      'The call_webhook effect of an automation rule; delivered to the endpoint the rule names.',
    schema: Joi.object<AutomationWebhook>({
      webhook_id: id(),
      automation_rule_id: id(),
      automation_execution_id: id(),
      client_id: id(),
      trigger_event_id: nullableId(),
      payload: anyObject(),
    }),
    example: {
      webhook_id: sample.webhookId,
      automation_rule_id: sample.ruleId,
      automation_execution_id: sample.executionId,
      client_id: sample.clientId,
      trigger_event_id: sample.eventId,
      payload: {},
    },
    personal: { payload: {} },
  }),
  defineEvent({
    type: 'webhook.test',
    webhook: 'webhook.test',
    version: 1,
    source: 'integrations',
    description: 'Sent when somebody tests an endpoint.',
    schema: Joi.object<WebhookTest>({ webhook_id: id(), message: text() }),
    example: { webhook_id: sample.webhookId, message: 'This is a test of your endpoint.' },
  }),
] as const;
