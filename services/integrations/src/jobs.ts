import type { Job } from '@laurel/lifecycle';
import { withLease } from '@laurel/mongo';
import { resealJob } from '@laurel/vault';
import type { WebhookDeps } from './use-cases/deps';
import type { IntegrationDeps } from './use-cases/integration-deps';
import { resealIntegrations, resealSecrets } from './use-cases/reseal-secrets';
import { sweepLanes } from './use-cases/sweep-lanes';

const MINUTE = 60_000;

/** What integrations does by itself. `holder` names this process. */
export const jobs = (deps: WebhookDeps, integrations: IntegrationDeps, holder: string): Job[] => [
  {
    name: 'webhooks.sweep',
    everyMs: MINUTE,
    run: async () => {
      await withLease(deps.connection, 'webhooks.sweep', holder, () => sweepLanes(deps));
      return undefined;
    },
  },
  resealJob({
    name: 'webhooks.reseal',
    vault: deps.vault,
    logger: integrations.logger,
    reseal: () => resealSecrets(deps),
  }),
  resealJob({
    name: 'integrations.reseal',
    vault: integrations.vault,
    logger: integrations.logger,
    reseal: () => resealIntegrations(integrations),
  }),
];
