import type { Handlers } from '@laurel/rpc';
import { createWebhook } from './use-cases/create-webhook';
import { deleteWebhook } from './use-cases/delete-webhook';
import type { WebhookDeps } from './use-cases/deps';
import { listWebhookDeliveries } from './use-cases/list-webhook-deliveries';
import { getWebhook, listWebhooks } from './use-cases/read-webhooks';
import { replayWebhook } from './use-cases/replay-webhook';
import { retryWebhookDelivery } from './use-cases/retry-webhook-delivery';
import { rotateWebhookSecret } from './use-cases/rotate-webhook-secret';
import { testWebhook } from './use-cases/test-webhook';
import { updateWebhook } from './use-cases/update-webhook';

/** What others may ask of integrations. */
export const rpcHandlers = (
  deps: WebhookDeps,
  replaySoon: () => void,
): Handlers<'integrations'> => ({
  ListWebhooks: (request) => listWebhooks(deps, request),
  CreateWebhook: (request) => createWebhook(deps, request),
  GetWebhook: (request) => getWebhook(deps, request),
  UpdateWebhook: (request) => updateWebhook(deps, request),
  DeleteWebhook: (request) => deleteWebhook(deps, request),
  RotateWebhookSecret: (request) => rotateWebhookSecret(deps, request),
  TestWebhook: (request) => testWebhook(deps, request),
  ListWebhookDeliveries: (request) => listWebhookDeliveries(deps, request),
  RetryWebhookDelivery: (request) => retryWebhookDelivery(deps, request),
  ReplayWebhook: async (request) => {
    const replay = await replayWebhook(deps, request);
    replaySoon();
    return replay;
  },
});
