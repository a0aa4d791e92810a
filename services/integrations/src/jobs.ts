import { resealJob } from '@laurel/secrets';
import { type Job, PIECE_LEASE_MS, type PieceJob } from '@laurel/work';
import type { Deps, IntegrationDeps, WebhookDeps } from './deps';
import type { LeasedImport } from './store/import-jobs';
import type { LeasedMessage } from './store/inbox-messages';
import type { LeasedJob } from './store/outbound-job-rows';
import type { LeasedWalk } from './store/outbound-walks';
import type { LeasedReplay } from './store/replays';
import { sweepLanes } from './use-cases/delivery/sweep-lanes';
import { workImport } from './use-cases/import/work-import';
import { processInboxMessage } from './use-cases/inbox/process-inbox-message';
import { backfillOutbound } from './use-cases/outbound/backfill-outbound';
import { retryRefused } from './use-cases/outbound/retry-refused';
import { tellCustomer } from './use-cases/outbound/tell-customer';
import { workReplay } from './use-cases/webhook/replay-webhook';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TOLD_KEPT_DAYS = 30;
/** Long walks: few at once, and one of a workspace. */
const WALKS = { concurrency: 4, share: 1 };

/** What this service does by itself -> use case. */
export const jobs = (deps: Deps): Job[] => [
  ...webhookJobs(deps),
  ...integrationJobs(deps),
  ...resealJobs(deps),
];

export function webhookJobs(deps: WebhookDeps): Job[] {
  const replay: PieceJob<LeasedReplay> = {
    name: 'replay-webhooks',
    due: deps.replays.due,
    ...WALKS,
    leaseMs: PIECE_LEASE_MS,
    work: (row) => workReplay(deps, row),
  };
  const sweep: Job = {
    name: 'sweep-lanes',
    every: MINUTE_MS,
    alone: true,
    work: async () => {
      await sweepLanes(deps);
      return undefined;
    },
  };
  return [replay, sweep];
}

export function integrationJobs(deps: IntegrationDeps): Job[] {
  const { clock } = deps;
  const inbox: PieceJob<LeasedMessage> = {
    name: 'process-inbox-messages',
    due: deps.messages.due,
    concurrency: 16,
    share: 4,
    leaseMs: PIECE_LEASE_MS,
    clock,
    work: (message) => processInboxMessage(deps, message),
  };
  const outbound: PieceJob<LeasedJob> = {
    name: 'tell-customers',
    due: deps.outboundJobs.due,
    concurrency: 64,
    share: 4,
    leaseMs: PIECE_LEASE_MS,
    clock,
    work: (job) => tellCustomer(deps, job),
  };
  const imports: PieceJob<LeasedImport> = {
    name: 'work-imports',
    due: deps.importJobs.due,
    ...WALKS,
    leaseMs: PIECE_LEASE_MS,
    clock,
    work: (job) => workImport(deps, job),
  };
  const backfills: PieceJob<LeasedWalk> = {
    name: 'backfill-outbound',
    due: deps.backfills.due,
    ...WALKS,
    leaseMs: PIECE_LEASE_MS,
    clock,
    work: (row) => backfillOutbound(deps, row),
  };
  const retries: PieceJob<LeasedWalk> = {
    name: 'retry-outbound',
    due: deps.outboundRetries.due,
    ...WALKS,
    leaseMs: PIECE_LEASE_MS,
    clock,
    work: (row) => retryRefused(deps, row),
  };
  const forget: Job = {
    name: 'forget-told-clients',
    every: DAY_MS,
    alone: true,
    work: () =>
      deps.outboundJobs.removeTold(new Date(clock.now().getTime() - TOLD_KEPT_DAYS * DAY_MS)),
  };
  return [inbox, outbound, imports, backfills, retries, forget];
}

const resealJobs = ({ webhooks, integrations, vault, logger }: Deps): Job[] => [
  resealJob({ name: 'reseal-webhooks', rows: webhooks.sealed, vault, logger }),
  resealJob({ name: 'reseal-integrations', rows: integrations.sealed, vault, logger }),
];
