import { type Job, PIECE_LEASE_MS, type PieceJob } from '@laurel/work';
import type { Deps } from './deps';
import type { ResetRequestRow } from './store/password-resets';
import type { CodeRequestRow } from './store/portal-codes';
import type { ClaimedClock } from './store/sandbox-clocks';
import type { ClaimedClone } from './store/workspace-clones';
import { endSandboxes } from './use-cases/end-sandboxes';
import { sendPasswordReset } from './use-cases/send-password-reset';
import { sendPortalCode } from './use-cases/send-portal-code';
import { workAdvance } from './use-cases/work-advance';
import { workClone } from './use-cases/work-clone';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How requests for a mail are worked off. */
const MAILING = { concurrency: 4, share: 1, leaseMs: PIECE_LEASE_MS };

/** What this service does by itself -> use case. */
export function jobs(deps: Deps): Job[] {
  const { clock } = deps;
  const resets: PieceJob<ResetRequestRow> = {
    name: 'send-password-resets',
    due: deps.passwordResets.due,
    ...MAILING,
    clock,
    work: (request) => sendPasswordReset(deps, request),
  };
  const portalCodes: PieceJob<CodeRequestRow> = {
    name: 'send-portal-codes',
    due: deps.portalCodes.due,
    ...MAILING,
    share: 2,
    clock,
    work: (request) => sendPortalCode(deps, request),
  };
  const advances: PieceJob<ClaimedClock> = {
    name: 'advance-clocks',
    movesClocks: true,
    due: deps.sandboxClocks.due,
    // Each keeps all services busy: what is tried in sandboxes leaves room for what is meant.
    concurrency: 2,
    share: 1,
    leaseMs: PIECE_LEASE_MS,
    clock,
    work: (row, _, process) => workAdvance(deps, row, process),
  };
  const clones: PieceJob<ClaimedClone> = {
    name: 'clone-workspaces',
    due: deps.workspaceClones.due,
    concurrency: 2,
    share: 1,
    leaseMs: PIECE_LEASE_MS,
    clock,
    work: (row, _, process) => workClone(deps, row, process),
  };
  return [
    ...deps.messages.jobs,
    resets,
    portalCodes,
    advances,
    clones,
    {
      name: 'end-sandboxes',
      due: deps.sandboxClocks.ends,
      alone: true,
      clock,
      work: () => endSandboxes(deps),
    },
    ...orphanJobs(deps),
    {
      name: 'forget-old-audit-log',
      every: DAY_MS,
      alone: true,
      work: async () => {
        const { audit, config } = deps;
        const before = new Date(clock.now().getTime() - config.auditLogDays * DAY_MS);
        const { more } = await audit.removeBefore(before);
        return { more };
      },
    },
  ];
}

/** What is done about queues of the broker that no service consumes: it is everybody's, and so falls to this one. */
function orphanJobs({ orphans, logger }: Pick<Deps, 'orphans' | 'logger'>): Job[] {
  return [
    {
      // By each replica: the figures of one that looks no more would stand.
      name: 'measure-orphaned-queues',
      every: MINUTE_MS,
      work: () => orphans.look(),
    },
    {
      name: 'forget-events-parked-of-orphaned-queues',
      every: DAY_MS,
      alone: true,
      work: async () => {
        for (const forgotten of await orphans.forget())
          logger.warn(forgotten, 'parked events were thrown away of a queue without a consumer');
        return undefined;
      },
    },
  ];
}
