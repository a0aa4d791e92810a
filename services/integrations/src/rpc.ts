import type { Handlers } from '@laurel/rpc';
import { cancelTransactionImport } from './use-cases/cancel-transaction-import';
import { createWebhook } from './use-cases/create-webhook';
import { deleteIntegration } from './use-cases/delete-integration';
import { deleteWebhook } from './use-cases/delete-webhook';
import type { WebhookDeps } from './use-cases/deps';
import { exportClient } from './use-cases/export-client';
import { getIntegrationHealth } from './use-cases/get-integration-health';
import { getWebhookDelivery } from './use-cases/get-webhook-delivery';
import type { IntegrationDeps } from './use-cases/integration-deps';
import { listAttention } from './use-cases/list-attention';
import { listWebhookDeliveries } from './use-cases/list-webhook-deliveries';
import { listOutboundJobs, retryOutboundJob } from './use-cases/outbound-jobs';
import { provisionInbox } from './use-cases/provision-inbox';
import { putIntegration } from './use-cases/put-integration';
import { readFeed } from './use-cases/read-feed';
import { getImport, listImports } from './use-cases/read-imports';
import { getInboxMessage, listInboxMessages } from './use-cases/read-inbox-messages';
import { getIntegration, listIntegrations } from './use-cases/read-integrations';
import { getWebhook, listWebhooks } from './use-cases/read-webhooks';
import { receiveInboxMessage } from './use-cases/receive-inbox-message';
import { replayWebhook } from './use-cases/replay-webhook';
import { retryInboxMessage } from './use-cases/retry-inbox-message';
import { retryWebhookDelivery } from './use-cases/retry-webhook-delivery';
import { rotateInboxToken } from './use-cases/rotate-inbox-token';
import { rotateWebhookSecret } from './use-cases/rotate-webhook-secret';
import { search } from './use-cases/search';
import { startImport } from './use-cases/start-import';
import { testConnection } from './use-cases/test-connection';
import { testWebhook } from './use-cases/test-webhook';
import { updateWebhook } from './use-cases/update-webhook';

/** What others may ask of integrations. */
export const rpcHandlers = (
  deps: WebhookDeps,
  integrations: IntegrationDeps,
): Handlers<'integrations'> => ({
  Search: (request) => search(deps, request),
  ListAttention: (request) => listAttention({ ...integrations, ...deps }, request),
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
  ListIntegrations: (request) => listIntegrations(integrations, request),
  GetIntegration: (request) => getIntegration(integrations, request),
  PutIntegration: (request) => putIntegration(integrations, request),
  DeleteIntegration: (request) => deleteIntegration(integrations, request),
  ProvisionInbox: (request) => provisionInbox(integrations, request),
  RotateInboxToken: (request) => rotateInboxToken(integrations, request),
  GetIntegrationHealth: (request) => getIntegrationHealth(integrations, request),
  TestConnection: (request) => testConnection(integrations, request),
  ImportTransactions: (request) => startImport(integrations, request),
  ListTransactionImports: (request) => listImports(integrations, request),
  CancelTransactionImport: (request) => cancelTransactionImport(integrations, request),
  ListOutboundJobs: (request) => listOutboundJobs(integrations, request),
  RetryOutboundJob: (request) => retryOutboundJob(integrations, request),
  GetTransactionImport: (request) => getImport(integrations, request),
  ReceiveInboxMessage: (request) => receiveInboxMessage(integrations, request),
  ListInboxMessages: (request) => listInboxMessages(integrations, request),
  GetInboxMessage: (request) => getInboxMessage(integrations, request),
  RetryInboxMessage: (request) => retryInboxMessage(integrations, request),
  ExportClient: (request) => exportClient(integrations, request),
  ReadFeed: (request) => readFeed(deps, request),
});
