import type { Handlers } from '@laurel/rpc';
import type { Deps } from './deps';
import { getWebhookDelivery } from './use-cases/delivery/get-webhook-delivery';
import { listWebhookDeliveries } from './use-cases/delivery/list-webhook-deliveries';
import { retryWebhookDelivery } from './use-cases/delivery/retry-webhook-delivery';
import { exportClient } from './use-cases/export-client';
import { readFeed } from './use-cases/feed/read-feed';
import { cancelTransactionImport } from './use-cases/import/cancel-transaction-import';
import { getImport, listImports } from './use-cases/import/read-imports';
import { startImport } from './use-cases/import/start-import';
import { provisionInbox } from './use-cases/inbox/provision-inbox';
import { getInboxMessage, listInboxMessages } from './use-cases/inbox/read-inbox-messages';
import { receiveInboxMessage } from './use-cases/inbox/receive-inbox-message';
import { retryInboxMessage } from './use-cases/inbox/retry-inbox-message';
import { rotateInboxToken } from './use-cases/inbox/rotate-inbox-token';
import { deleteIntegration } from './use-cases/integration/delete-integration';
import { getIntegrationHealth } from './use-cases/integration/get-integration-health';
import { putIntegration } from './use-cases/integration/put-integration';
import { getIntegration, listIntegrations } from './use-cases/integration/read-integrations';
import { testConnection } from './use-cases/integration/test-connection';
import { listAttention } from './use-cases/list-attention';
import { listOutboundJobs, retryOutboundJob } from './use-cases/outbound/outbound-jobs';
import { search } from './use-cases/search';
import { createWebhook } from './use-cases/webhook/create-webhook';
import { deleteWebhook } from './use-cases/webhook/delete-webhook';
import { getWebhook, listWebhooks } from './use-cases/webhook/read-webhooks';
import { replayWebhook } from './use-cases/webhook/replay-webhook';
import { rotateWebhookSecret } from './use-cases/webhook/rotate-webhook-secret';
import { testWebhook } from './use-cases/webhook/test-webhook';
import { updateWebhook } from './use-cases/webhook/update-webhook';

/** What others may ask of integrations. */
export const rpcHandlers = (deps: Deps): Handlers<'integrations'> => ({
  Search: (request) => search(deps, request),
  ListAttention: (request) => listAttention(deps, request),
  ListWebhooks: (request) => listWebhooks(deps, request),
  CreateWebhook: (request) => createWebhook(deps, request),
  GetWebhook: (request) => getWebhook(deps, request),
  UpdateWebhook: (request) => updateWebhook(deps, request),
  DeleteWebhook: (request) => deleteWebhook(deps, request),
  RotateWebhookSecret: (request) => rotateWebhookSecret(deps, request),
  TestWebhook: (request) => testWebhook(deps, request),
  ListWebhookDeliveries: (request) => listWebhookDeliveries(deps, request),
  GetWebhookDelivery: (request) => getWebhookDelivery(deps, request),
  RetryWebhookDelivery: (request) => retryWebhookDelivery(deps, request),
  ReplayWebhook: (request) => replayWebhook(deps, request),
  ListIntegrations: (request) => listIntegrations(deps, request),
  GetIntegration: (request) => getIntegration(deps, request),
  PutIntegration: (request) => putIntegration(deps, request),
  DeleteIntegration: (request) => deleteIntegration(deps, request),
  ProvisionInbox: (request) => provisionInbox(deps, request),
  RotateInboxToken: (request) => rotateInboxToken(deps, request),
  GetIntegrationHealth: (request) => getIntegrationHealth(deps, request),
  TestConnection: (request) => testConnection(deps, request),
  ImportTransactions: (request) => startImport(deps, request),
  ListTransactionImports: (request) => listImports(deps, request),
  CancelTransactionImport: (request) => cancelTransactionImport(deps, request),
  ListOutboundJobs: (request) => listOutboundJobs(deps, request),
  RetryOutboundJob: (request) => retryOutboundJob(deps, request),
  GetTransactionImport: (request) => getImport(deps, request),
  ReceiveInboxMessage: (request) => receiveInboxMessage(deps, request),
  ListInboxMessages: (request) => listInboxMessages(deps, request),
  GetInboxMessage: (request) => getInboxMessage(deps, request),
  RetryInboxMessage: (request) => retryInboxMessage(deps, request),
  ExportClient: (request) => exportClient(deps, request),
  ReadFeed: (request) => readFeed(deps, request),
});
