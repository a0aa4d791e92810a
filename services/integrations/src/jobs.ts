import { resealJob } from '@laurel/vault';
import { type Job, workerJob } from '@laurel/work';
import { workersOf } from './integrations';
import type { WebhookDeps } from './use-cases/deps';
import type { IntegrationDeps } from './use-cases/integration-deps';
import { replayWorker } from './use-cases/replay-webhook';
import { resealIntegrations, resealSecrets } from './use-cases/reseal-secrets';
import { sweepLanes } from './use-cases/sweep-lanes';

const MINUTE_MS = 60_000;

/** What integrations does by itself. */
export function jobs(deps: WebhookDeps, integrations: IntegrationDeps): Job[] {
  const { inbox, outbound, imports, backfills } = workersOf(integrations);
  return [
    workerJob(inbox, integrations.messages.due),
    workerJob(outbound, integrations.outboundJobs.due),
    workerJob(imports, integrations.importJobs.due),
    workerJob(backfills, integrations.backfills.due),
    workerJob(replayWorker(deps), deps.replays.due),
    {
      name: 'webhooks.sweep',
      every: MINUTE_MS,
      alone: true,
      work: async () => {
        await sweepLanes(deps);
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
}
