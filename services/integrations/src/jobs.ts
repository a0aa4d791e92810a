import type { Job } from '@laurel/lifecycle';
import { withLease } from '@laurel/mongo';
import type { WebhookDeps } from './use-cases/deps';
import type { IntegrationDeps } from './use-cases/integration-deps';
import { runReplay } from './use-cases/replay-webhook';
import { resealIntegrations, resealSecrets } from './use-cases/reseal-secrets';
import { sweepLanes } from './use-cases/sweep-lanes';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** What integrations does by itself. `holder` names this process. */
export const jobs = (deps: WebhookDeps, integrations: IntegrationDeps, holder: string): Job[] => [
  {
    name: 'webhooks.replay',
    everyMs: 2 * SECOND,
    run: async () => ({ more: await runReplay(deps) }),
  },
  {
    name: 'webhooks.sweep',
    everyMs: MINUTE,
    run: async () => {
      await withLease(deps.connection, 'webhooks.sweep', holder, () => sweepLanes(deps));
      return undefined;
    },
  },
  {
    name: 'webhooks.reseal',
    everyMs: 60 * MINUTE,
    run: () => resealSecrets(deps),
  },
  {
    name: 'integrations.reseal',
    everyMs: 60 * MINUTE,
    run: () => resealIntegrations(integrations),
  },
];
