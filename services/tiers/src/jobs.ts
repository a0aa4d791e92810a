import { type Job, PIECE_LEASE_MS, type PieceJob } from '@laurel/work';
import type { Deps } from './deps';
import type { ResyncJob } from './store/resync-jobs';
import { endAssignments, reviewMembers } from './use-cases/review-members';
import { runResync } from './use-cases/run-resync';

export interface JobSettings {
  /** Members that one process evaluates in a second. */
  resyncPerSecond: number;
  reviewEveryMs: number;
}

/** What this service does by itself -> use case. */
export function jobs(
  deps: Deps,
  { resyncPerSecond: perSecond, reviewEveryMs }: JobSettings,
): Job[] {
  const { clock } = deps;
  const resync: PieceJob<ResyncJob> = {
    name: 'resync',
    due: deps.resyncJobs.due,
    concurrency: 1,
    share: 1,
    leaseMs: PIECE_LEASE_MS,
    clock,
    work: (job, { lease }, { isStopping }) =>
      runResync(deps, { job, lease }, { perSecond, isStopping }),
  };
  return [
    resync,
    {
      name: 'review',
      every: reviewEveryMs,
      alone: true,
      inSandboxes: deps.members.reviews,
      work: () => reviewMembers(deps),
    },
    {
      name: 'ended-assignments',
      due: deps.members.endings,
      alone: true,
      clock,
      work: () => endAssignments(deps),
    },
  ];
}
