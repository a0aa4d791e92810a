import { later } from '@laurel/lifecycle';
import { isTimed, type Job } from './job';
import { work as metrics } from './metrics';

/** What runs no more often than that is judged by single runs. */
const SELDOM_MS = 3_600_000;

/**
 * Counts what the runs of a job come to. What one that runs seldom comes to at its start is counted once the new process was
 * scraped: a count that is there at the first scrape is no rise, and no alert would see it before the next run.
 */
export function createOutcomes(
  job: Job,
  { service, scrapedMs }: { service: string; scrapedMs: number },
): (outcome: 'done' | 'failed') => void {
  const fromMs = isTimed(job) && job.every >= SELDOM_MS ? performance.now() + scrapedMs : 0;
  return (outcome) => {
    const count = (): void => metrics.runs.inc({ service, job: job.name, outcome });
    const waitMs = fromMs - performance.now();
    if (waitMs > 0) later('outcomes', waitMs, count);
    else count();
  };
}
