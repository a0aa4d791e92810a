import type { Job } from '@laurel/work';
import type { Deps } from './deps';
import { backfillProfiles, backfillWorker } from './use-cases/backfill-profiles';
import { dropStaleUploads } from './use-cases/drop-stale-uploads';
import { purgeOrphanedEvents } from './use-cases/purge-orphaned-events';
import { importWorker } from './use-cases/run-import';
import { processSweeper } from './use-cases/sweep-processes';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What this service does by itself -> use case. */
export const jobs = (deps: Deps, { orphanedEventsDays }: { orphanedEventsDays: number }): Job[] => [
  processSweeper(deps),
  importWorker(deps),
  { name: 'profiles', every: MINUTE_MS, alone: true, work: () => backfillProfiles(deps) },
  backfillWorker(deps),
  {
    name: 'orphaned-events',
    every: DAY_MS,
    alone: true,
    work: () => purgeOrphanedEvents(deps, orphanedEventsDays),
  },
  { name: 'stale-uploads', every: DAY_MS, alone: true, work: () => dropStaleUploads(deps) },
];
