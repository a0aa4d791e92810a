import { type Logger, newId, onClockMoved } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import { adoptAtStart } from './adopt';
import {
  type BatchJob,
  clockOf,
  dueInSandboxes,
  isPieceWork,
  isTimed,
  type Job,
  type PieceJob,
  type TimedJob,
} from './job';
import { createLease, withLease } from './lease';
import { type Loop, type Next, type Reason, startLoop } from './loop';
import { work as metrics } from './metrics';
import { clockOwner, onceForEachClock } from './passes';
import { createPieces } from './pieces';

/** What a lost wake-up costs at most: each job looks that often in any case. */
const SWEEP_MS = 10_000;
/** How far a sweep looks ahead, so that what becomes due before the next one is taken up at its time. */
const AHEAD_MS = SWEEP_MS + 2_000;
const RETRY_MS = 5_000;
const FIRST_MS_MAX = 1_000;
/** Replicas are woken no more often than this by one job of one process. */
const SPREAD_MS = 250;

/** Carries wake-ups between the replicas of a service: quick, and free to lose some. */
export interface Broadcast {
  send(topic: string): void;
  /** Calls `listener` with what other processes sent; returns how to end that. */
  listen(listener: (topic: string) => void): () => void;
}

export interface WorkSettings {
  service: string;
  jobs: readonly Job[];
  connection: Connection;
  logger: Pick<Logger, 'error' | 'info'>;
  broadcast?: Broadcast;
  sweepMs?: number;
}

export interface RunningWork {
  /** Takes up nothing new and waits for what is in hand. */
  stop(): Promise<void>;
}

/**
 * Runs the table of what a service does by itself, until stopped. Work sleeps until it is woken: by whoever writes due
 * rows, by their time, by another replica that has more than it can do, and for safety by a slow sweep.
 */
export function startWork(settings: WorkSettings): RunningWork {
  const holder = newId();
  const runners = settings.jobs.map((job) => startJob(job, settings, holder));
  return { stop: async () => void (await Promise.all(runners.map((runner) => runner.stop()))) };
}

interface Wake {
  /** Somebody in this process asked; what other replicas ask for is not told on. */
  isOwn: boolean;
}

function startJob(job: Job, settings: WorkSettings, holder: string): RunningWork {
  const { service, broadcast, logger } = settings;
  const topic = `${service}.${job.name}`;
  const wake: Wake = { isOwn: false };
  const spread = createSpread(() => broadcast?.send(topic));
  const signals: Signals = {
    wakeUp: () => loop.wake(),
    spread: () => {
      if (wake.isOwn) spread.soon();
      wake.isOwn = false;
    },
  };
  const looks = isPieceWork(job)
    ? pieceLooks(job, settings, signals)
    : runLooks(job, { ...settings, holder }, signals);
  const loop: Loop = startLoop({
    name: topic,
    sweepMs: isTimed(job) ? job.every : (settings.sweepMs ?? SWEEP_MS),
    firstMs: Math.random() * FIRST_MS_MAX,
    look: async (reason) => {
      try {
        return soonestOf(await onceForEachClock(() => looks.look(reason)));
      } catch (error) {
        metrics.runs.inc({ service, job: job.name, outcome: 'failed' });
        logger.error({ err: error, job: job.name }, 'a job failed and will run again');
        return isTimed(job) ? {} : { at: Date.now() + RETRY_MS };
      }
    },
  });
  const unlisten = [
    isTimed(job)
      ? undefined
      : job.due.onWake((at) => {
          wake.isOwn = true;
          loop.wake(at);
        }),
    broadcast?.listen((heard) => {
      if (heard === topic) loop.wake();
    }),
    dueInSandboxes(job) && onClockMoved(() => loop.wake()),
  ];
  return {
    stop: async () => {
      for (const end of unlisten) end?.();
      spread.stop();
      looks.stop();
      await loop.stop();
      await looks.idle();
    },
  };
}

/** What several looks, each by its own clock, say about the next one. */
function soonestOf(looks: readonly Next[]): Next {
  const times = looks.flatMap(({ at }) => (at === undefined ? [] : [at]));
  return {
    again: looks.some(({ again }) => again === true),
    ...(times.length === 0 ? {} : { at: Math.min(...times) }),
  };
}

interface Looks {
  look(reason: Reason): Promise<Next>;
  idle(): Promise<void>;
  stop(): void;
}

interface Signals {
  wakeUp(): void;
  spread(): void;
}

function runLooks(
  job: TimedJob | BatchJob,
  { service, connection, holder }: WorkSettings & { holder: string },
  signals: Signals,
): Looks {
  const labels = { service, job: job.name };
  const lease = createLease(connection, `${service}.${job.name}`, holder);

  async function run(): Promise<Next> {
    const end = metrics.duration.startTimer(labels);
    try {
      const outcome = job.alone
        ? await withLease(lease, () => job.work())
        : { done: await job.work() };
      // Another replica is at it, and may have looked before this was written: it is asked to look again.
      if (!outcome) signals.spread();
      else metrics.runs.inc({ ...labels, outcome: 'done' });
      return { again: outcome?.done?.more === true };
    } finally {
      end();
    }
  }

  const timed = async (): Promise<Next> =>
    clockOwner() === undefined || dueInSandboxes(job) ? run() : {};
  return {
    look: isTimed(job) ? timed : (reason) => whenDue(job, reason, run),
    idle: async () => undefined,
    stop: () => undefined,
  };
}

/** A sweep asks only when something is due next: at rest that is all that a job costs. */
async function whenDue(
  job: BatchJob | PieceJob<unknown>,
  reason: Reason,
  work: () => Promise<Next>,
): Promise<Next> {
  if (reason === 'woken') return work();
  const now = clockOf(job).now().getTime();
  const next = await job.due.next(new Date(now + AHEAD_MS));
  if (!next) return {};
  return next.getTime() <= now ? work() : { at: Date.now() + next.getTime() - now };
}

function pieceLooks(
  job: PieceJob<unknown>,
  { service, logger }: WorkSettings,
  signals: Signals,
): Looks {
  const pieces = createPieces({ service, job, logger, onRoom: signals.wakeUp });
  const adopt = adoptAtStart(job);
  const take = async (): Promise<Next> => {
    if ((await pieces.take()).isFull) signals.spread();
    return {};
  };
  return {
    look: async (reason) => {
      if (reason === 'sweep') await adopt();
      return whenDue(job, reason, take);
    },
    idle: () => pieces.idle(),
    stop: () => pieces.stop(),
  };
}

/** At once, and then no more often than so; what was asked for meanwhile is not forgotten. */
function createSpread(send: () => void): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let asked = false;
  const open = (): void => {
    timer = undefined;
    if (asked) soon();
  };
  const soon = (): void => {
    asked = timer !== undefined;
    if (asked) return;
    send();
    timer = setTimeout(open, SPREAD_MS);
    timer.unref();
  };
  return { soon, stop: () => clearTimeout(timer) };
}
