import { backend, Joi, publicUrl, setting, targetOf, vaultKeys } from '@laurel/config';

/** What operators may set. */
export const settings = {
  ...backend,
  publicUrl,
  automationsTarget: targetOf('automations'),
  clientsTarget: targetOf('clients'),
  identityTarget: targetOf('identity'),
  passesTarget: targetOf('passes'),
  tiersTarget: targetOf('tiers'),
  ...vaultKeys,
  webhookAllowInsecure: setting<boolean>(
    'WEBHOOK_ALLOW_INSECURE',
    Joi.boolean().default(false),
    'Lets webhooks and integrations go to loopback addresses, there also by http. For development only.',
  ),
  webhookTimeoutSeconds: setting<number>(
    'WEBHOOK_TIMEOUT_SECONDS',
    Joi.number().integer().min(1).max(30).default(15),
    'How long a receiver may take to answer.',
  ),
  webhookConcurrency: setting<number>(
    'WEBHOOK_CONCURRENCY',
    Joi.number().integer().min(1).max(256).default(64),
    'Requests in flight to one endpoint at most; fewer while it is slow or failing.',
  ),
  webhookInFlightMax: setting<number>(
    'WEBHOOK_IN_FLIGHT_MAX',
    Joi.number().integer().min(2).max(10_000).default(512),
    'Requests in flight from one process at most.',
  ),
  webhookDisableAfterDays: setting<number>(
    'WEBHOOK_DISABLE_AFTER_DAYS',
    Joi.number().min(0.0001).max(90).default(5),
    'An endpoint that has only failed for this long is disabled and its admins are told.',
  ),
  retentionWebhookEventsDays: setting<number>(
    'RETENTION_WEBHOOK_EVENTS_DAYS',
    Joi.number().integer().min(30).max(400).default(35),
    'How long events and the record of their deliveries are kept: the window that can be replayed.',
  ),
  retentionInboxMessagesDays: setting<number>(
    'RETENTION_INBOX_MESSAGES_DAYS',
    Joi.number().integer().min(1).max(400).default(30),
    'How long what arrived in inboxes is kept, processed or not.',
  ),
} as const;
