import {
  IMPORT_STATUSES,
  INBOX_MESSAGE_STATUSES,
  INBOX_OUTCOMES,
  REFUND_LINKS,
} from '@laurel/contract';
import {
  anyJsonObject,
  Joi,
  jsonObject,
  nullable,
  text,
  timestamp,
  uuid,
} from '../../schema/types';
import { outboundJob } from '../outbound-jobs/schema';

const SECRETS_MAX = 20;

export interface PutIntegrationBody {
  enabled_inbound?: boolean;
  enabled_outbound?: boolean;
  config?: { [key: string]: never };
  secrets?: { [key: string]: string | null };
}

export const putIntegration = Joi.object<PutIntegrationBody>({
  enabled_inbound: Joi.boolean(),
  enabled_outbound: Joi.boolean(),
  config: jsonObject(),
  secrets: Joi.object()
    .pattern(Joi.string().max(100), nullable(text(4_096, 1)))
    .max(SECRETS_MAX),
});

export const testConnection = Joi.object<{ credentials?: { [key: string]: never } }>({
  credentials: jsonObject(),
});

/** What a provider takes is checked by the provider. */
export const importTransactions = anyJsonObject();

export const listImportJobs = Joi.object<{ limit: number }>({
  limit: Joi.number().integer().min(1).max(100).default(20),
});

const messageStatus = Joi.string().valid(...INBOX_MESSAGE_STATUSES);

export const listInboxMessages = Joi.object<{ status?: string; limit: number; cursor?: string }>({
  status: messageStatus,
  limit: Joi.number().integer().min(1).max(1_000).default(50),
  cursor: Joi.string().max(500),
});

export const integration = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  provider: Joi.string().required(),
  enabled_inbound: Joi.boolean().required(),
  enabled_outbound: Joi.boolean().required(),
  inbox_id: nullable(uuid()).required(),
  inbox_ingest_url: nullable(Joi.string().uri()).required(),
  config: Joi.object().unknown(true).required(),
  secrets_meta: Joi.object()
    .pattern(
      Joi.string(),
      Joi.object({ last4: Joi.string().required(), rotated_at: timestamp().required() }),
    )
    .required(),
  last_synced_at: nullable(timestamp()).required(),
  last_error: nullable(Joi.string()).required(),
  date_created: timestamp().required(),
  date_updated: timestamp().required(),
}).meta({ name: 'Integration' });

export const integrations = Joi.object({
  data: Joi.array().items(integration).required(),
  available_providers: Joi.array().items(Joi.string()).required(),
});

export const savedIntegration = Joi.object({
  data: integration.required(),
  token: Joi.string(),
  save_warning: Joi.string(),
});

export const provisionedInbox = Joi.object({
  data: integration.required(),
  token: nullable(Joi.string()).required(),
  save_warning: Joi.string(),
});

const count = Joi.number().integer().required();

export const health = Joi.object({
  config: Joi.object().unknown(true).required(),
  inbox: nullable(
    Joi.object({
      counts: Joi.object({
        pending: count,
        leased: count,
        processed: count,
        failed: count,
      }).required(),
      processed_24h: count,
      last_failed: nullable(
        Joi.object({
          id: uuid().required(),
          received_at: timestamp().required(),
          last_error: Joi.string().allow('').required(),
          attempts: count,
        }),
      ).required(),
    }),
  ).required(),
  inbox_missing: Joi.boolean(),
  outbound: Joi.object({
    counts: Joi.object({ pending: count, done: count, failed: count }).required(),
    is_backfilling: Joi.boolean().required(),
    last_failed: nullable(outboundJob).required(),
  }),
});

export const connectionTest = Joi.object({
  ok: Joi.boolean().required(),
  status: nullable(Joi.number().integer()).required(),
  locations: Joi.array().items({ id: Joi.number().required(), name: Joi.string().required() }),
  error: Joi.string(),
  note: Joi.string(),
});

export const importJob = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  provider: Joi.string().required(),
  status: Joi.string()
    .valid(...IMPORT_STATUSES)
    .required(),
  phase: Joi.string().valid('fetching', 'processing').required(),
  date_from: Joi.string().required(),
  date_to: Joi.string().required(),
  location_ids: Joi.array().items(Joi.number()).required(),
  fetch_total: nullable(Joi.number().integer()).required(),
  fetch_done: count,
  processed_count: count,
  imported_count: count,
  error_log: Joi.array()
    .items({ transaction_id: Joi.string().allow('').required(), message: Joi.string().required() })
    .required(),
  date_created: timestamp().required(),
  started_at: nullable(timestamp()).required(),
  finished_at: nullable(timestamp()).required(),
}).meta({ name: 'TransactionImportJob' });
export const importJobs = Joi.array().items(importJob);

export const inboxMessage = Joi.object({
  id: uuid().required(),
  status: messageStatus.required(),
  attempts: count,
  last_error: nullable(Joi.string()).required(),
  next_attempt_at: nullable(timestamp()).required(),
  received_at: timestamp().required(),
  processed_at: nullable(timestamp()).required(),
  client_id: nullable(uuid()).required(),
  outcome: nullable(Joi.string().valid(...INBOX_OUTCOMES)).required(),
  // Of refunds that name a sale.
  refund_link: nullable(Joi.string().valid(...REFUND_LINKS)).required(),
}).meta({ name: 'InboxMessage' });
export const wholeInboxMessage = inboxMessage
  .keys({
    body: Joi.any().required(),
    headers: Joi.object().pattern(Joi.string(), Joi.string()).required(),
  })
  .meta({ name: 'WholeInboxMessage' });
export const inboxMessages = Joi.array().items(inboxMessage);

export const receipt = Joi.object({ id: uuid().required(), received_at: timestamp().required() });
