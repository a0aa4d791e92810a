import type { Job } from '@laurel/work';
import type { Deps } from './deps';
import type { CheckpointPart } from './store/checkpoint-parts';
import { finishRefunds } from './use-cases/finish-refunds';
import { settling } from './use-cases/settle-due-wallets';
import { takeCheckpointPart } from './use-cases/take-checkpoint-part';
import { noRound, takeCheckpoints } from './use-cases/take-checkpoints';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** What the ledger does by itself. Being alone only spares replicas double work; each effect is safe without it. */
export function jobs(deps: Deps): Job[] {
  const round = noRound();
  return [
    settling(deps),
    { name: 'refunds', every: 10 * SECOND_MS, work: () => finishRefunds(deps) },
    {
      name: 'checkpoints',
      every: Math.min(MINUTE_MS, deps.checkpointIntervalMs / 2),
      alone: true,
      work: () => takeCheckpoints(deps, round),
    },
    {
      name: 'checkpoint-parts',
      due: deps.checkpointParts.due,
      concurrency: 2,
      share: 1,
      leaseMs: MINUTE_MS,
      clock: { now: () => new Date(deps.now()) },
      work: (part: CheckpointPart) => takeCheckpointPart(deps, part),
    },
  ];
}
