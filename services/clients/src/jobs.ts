import { hostname } from 'node:os';
import { type Job, workerJob } from '@laurel/lifecycle';
import { withLease } from '@laurel/mongo';
import type { Deps } from './deps';
import { backfillProfiles } from './use-cases/backfill-profiles';
import { dropStaleUploads } from './use-cases/drop-stale-uploads';
import { purgeOrphanedEvents } from './use-cases/purge-orphaned-events';
import { importWorker } from './use-cases/run-import';
import { processSweeper } from './use-cases/sweep-processes';

const SECOND_MS = 1_000;
const BACKFILL_MS = 10_000;
const DAY_MS = 86_400_000;

/** What this service does by the clock. */
export function jobs(deps: Deps, { orphanedEventsDays }: { orphanedEventsDays: number }): Job[] {
  const holder = `${hostname()}:${process.pid}`;
  const alone = async (name: string, work: () => Promise<{ more: boolean }>) =>
    (await withLease(deps.connection, name, holder, work)) ?? undefined;
  return [
    workerJob({ ...processSweeper(deps), everyMs: SECOND_MS }, deps.logger),
    workerJob({ ...importWorker(deps), everyMs: SECOND_MS }, deps.logger),
    {
      name: 'profiles',
      everyMs: BACKFILL_MS,
      run: () => alone('profiles', () => backfillProfiles(deps)),
    },
    {
      name: 'orphaned-events',
      everyMs: DAY_MS,
      run: () => alone('orphaned-events', () => purgeOrphanedEvents(deps, orphanedEventsDays)),
    },
    {
      name: 'stale-uploads',
      everyMs: DAY_MS,
      run: () => alone('stale-uploads', () => dropStaleUploads(deps)),
    },
  ];
}
