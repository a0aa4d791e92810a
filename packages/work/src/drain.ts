import type { Logger } from '@laurel/lifecycle';
import { isPieceWork, type Job } from './job';
import { createPieces } from './pieces';

/**
 * Does by hand what a job does by itself: works off everything that is due by the job's own clock, and resolves when
 * nothing is left, with how many pieces or runs that took. For tests and tools.
 */
export async function drain(job: Job, logger: Pick<Logger, 'error'>): Promise<number> {
  let count = 0;
  if (!isPieceWork(job)) {
    let more = true;
    while (more) {
      more = (await job.work())?.more === true;
      count += 1;
    }
    return count;
  }
  const pieces = createPieces({ service: 'drain', job, logger, onRoom: () => undefined });
  for (;;) {
    const taken = await pieces.take();
    await pieces.idle();
    if (taken.count === 0) return count;
    count += taken.count;
  }
}

/** The job of that name in a table of jobs. */
export function jobNamed(jobs: readonly Job[], name: string): Job {
  const job = jobs.find((each) => each.name === name);
  if (!job)
    throw new Error(`there is no job ${name} among ${jobs.map((each) => each.name).join(', ')}`);
  return job;
}
