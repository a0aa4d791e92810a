import type { Job, PieceJob } from '@laurel/work';
import type { Deps } from './deps';
import type { Redemption } from './domain/redemption';
import type { AbandonedAttempt } from './store/attempts';
import { finishCancellation } from './use-cases/finish-cancellation';
import { recoverAttempt } from './use-cases/recover-attempt';

/** Most of what is due was left behind by a process that died: all of it at once, one behind the other of a tenant. */
const ROOM = { concurrency: 8, share: 2 };

/** What this service does by itself -> use case. */
export function jobs(deps: Deps): Job[] {
  const { clock, abandonedMs: leaseMs } = deps;
  const recover: PieceJob<AbandonedAttempt> = {
    name: 'recover-attempts',
    due: deps.attempts.due,
    ...ROOM,
    leaseMs,
    clock,
    work: (abandoned, claim) => recoverAttempt(deps, abandoned, claim),
  };
  const cancel: PieceJob<Redemption> = {
    name: 'finish-cancellations',
    due: deps.redemptions.cancellationsDue,
    ...ROOM,
    leaseMs,
    clock,
    work: ({ workspace_id, id }) => finishCancellation(deps, workspace_id, id),
  };
  return [recover, cancel];
}
