import { runInBackground } from './background';
import type { Logger } from './logger';
import { metrics } from './metrics';

export interface Job {
  name: string;
  everyMs: number;
  /** Does what is due now and says whether more is waiting, so that a backlog is worked off at once. */
  run: () => Promise<{ more: boolean } | undefined>;
  /** Waits for what `run` began and did not wait for. */
  stop?: () => Promise<void>;
}

/** Runs periodic work until stopped. Claiming what is due, so that replicas share it, is the job's own part. */
export function startJobs(
  service: string,
  jobs: readonly Job[],
  logger: Logger,
): { stop(): Promise<void> } {
  let stopped = false;
  const loops = jobs.map((job) => {
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    const tick = async (): Promise<void> => {
      const outcome = await runOnce(service, job, logger);
      if (!stopped) schedule(outcome?.more ? 0 : job.everyMs);
    };
    const schedule = (delayMs: number): void => {
      timer = setTimeout(() => {
        running = tick();
      }, delayMs);
      timer.unref();
    };
    schedule(Math.random() * Math.min(job.everyMs, 1_000));
    return async () => {
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
      await job.stop?.();
    };
  });
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(loops.map((end) => end()));
    },
  };
}

async function runOnce(
  service: string,
  job: Job,
  logger: Logger,
): Promise<{ more: boolean } | undefined> {
  const endTimer = metrics.jobDuration.startTimer({ service, job: job.name });
  try {
    const outcome = await runInBackground(`${service}.${job.name}`, () => job.run());
    metrics.jobRuns.inc({ service, job: job.name, outcome: 'done' });
    return outcome;
  } catch (error) {
    metrics.jobRuns.inc({ service, job: job.name, outcome: 'failed' });
    logger.error({ err: error, job: job.name }, 'a job failed and will run again');
    return undefined;
  } finally {
    endTimer();
  }
}
