import Joi from 'joi';
import { defineEvent } from './define';
import { id, name, nullableTimestamp, sample, timestamp } from './fields';

export interface WebhookDisabled {
  webhook_id: string;
  workspace_id: string;
  url: string;
  /** gone: the endpoint answered 410. failing: it has only failed for days. */
  reason: 'gone' | 'failing';
  /** Since when no attempt has succeeded; null when the last one did. */
  failing_since: string | null;
  disabled_at: string;
}

/** What happened to the connections of a workspace with the outside. */
export const integrationEvents = [
  defineEvent({
    type: 'integrations.webhook_disabled',
    webhook: null,
    version: 1,
    source: 'integrations',
    description: 'The platform gave a webhook endpoint up; the admins of the workspace are told.',
    schema: Joi.object<WebhookDisabled>({
      webhook_id: id(),
      workspace_id: id(),
      url: name(),
      reason: Joi.string().valid('gone', 'failing').required(),
      failing_since: nullableTimestamp(),
      disabled_at: timestamp(),
    }),
    example: {
      webhook_id: sample.webhookId,
      workspace_id: sample.workspaceId,
      url: 'https://hooks.example.com/laurel',
      reason: 'failing',
      failing_since: sample.at,
      disabled_at: sample.at,
    },
  }),
] as const;
