import type { Logger } from '@laurel/lifecycle';
import { isPieceWork, isTimed, type Job } from './job';
import type { Next, Reason } from './loop';
import type { createOutcomes } from './outcomes';
import { lookBy, type Owner } from './passes';

const RETRY_MS = 5_000;

type Count = ReturnType<typeof createOutcomes>;

interface Looking {
  logger: Pick<Logger, 'error'>;
  followsSandboxes?: boolean;
  /** How long the series of a new process are left as they are. */
  scrapedMs: number;
  count: Count;
}

/** Looks by somebody's clock. A failure is counted, and tried again soon where the job is not to wait for its next time. */
export function createLookOnce(
  job: Job,
  { logger, followsSandboxes, scrapedMs, count }: Looking,
  look: (reason: Reason) => Promise<Next>,
): (owner: Owner, reason: Reason) => Promise<Next> {
  const recoveries = isPieceWork(job) ? countRecoveries(count, scrapedMs) : undefined;
  return async (owner, reason) => {
    try {
      const next = followsSandboxes ? await lookBy(owner, () => look(reason)) : await look(reason);
      recoveries?.succeeded(owner);
      return next;
    } catch (error) {
      recoveries?.failed(owner);
      count('failed');
      logger.error({ err: error, job: job.name }, 'a job failed and will run again');
      return isTimed(job) ? {} : { at: Date.now() + RETRY_MS };
    }
  };
}

/**
 * Counts of a job that works off rows what no row says: that its looks succeed, after one that failed and in a new process,
 * which may be what was to mend it. Else that failure would be the last that is heard of the job until a row is due.
 */
function countRecoveries(count: Count, scrapedMs: number) {
  const fromMs = performance.now() + scrapedMs;
  const uncounted = new Set<Owner>([null]);
  return {
    failed: (owner: Owner): void => void uncounted.add(owner),
    succeeded: (owner: Owner): void => {
      if (performance.now() >= fromMs && uncounted.delete(owner)) count('done');
    },
  };
}
