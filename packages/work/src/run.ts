import { type Logger, movedSandboxes, newId, onClockMoved } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import { adoptAtStart } from './adopt';
import { Asked, SANDBOX_SWEEP_MS } from './asked';
import {
  type BatchJob,
  clockOf,
  dueInSandboxes,
  isPieceWork,
  isTimed,
  type Job,
  type RowsJob,
  type TimedJob,
} from './job';
import { createLease, withLease } from './lease';
import { createLookOnce } from './look-once';
import { type Loop, type Next, type Reason, startLoop } from './loop';
import { work as metrics } from './metrics';
import { createOutcomes } from './outcomes';
import { clockOwner, type Owner } from './passes';
import { createPieces } from './pieces';

/** What a lost wake-up costs at most: each job looks that often in any case. */
const SWEEP_MS = 10_000;
/** How far a sweep looks ahead, so that what becomes due before the next one is taken up at its time. */
const AHEAD_MS = SWEEP_MS + 2_000;
const FIRST_MS_MAX = 1_000;
/** Until a new process was scraped twice, every 30 seconds, and was found before that. What comes earlier is no rise. */
const SCRAPED_MS = 90_000;
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
  scrapedMs?: number;
  /** Whether the rows of a sandbox are due by its clock (docs/adr/0029); else all go by real time. */
  followsSandboxes?: boolean;
}

export interface RunningWork {
  /** Takes up nothing new and waits for what is in hand. */
  stop(): Promise<void>;
}

/**
 * Runs the table of what a service does by itself, until stopped. Work sleeps until it is woken: by the writer of due
 * rows, by their time, by another replica that has more than it can do, and for safety by a slow sweep.
 */
export function startWork(settings: WorkSettings): RunningWork {
  const holder = newId();
  // A failure that makes its series is no rise of it: no alert would see the first one of a process.
  for (const { name: job } of settings.jobs)
    for (const outcome of ['done', 'failed'])
      metrics.runs.inc({ service: settings.service, job, outcome }, 0);
  const runners = settings.jobs.map((job) => startJob(job, settings, holder));
  return { stop: async () => void (await Promise.all(runners.map((runner) => runner.stop()))) };
}

function startJob(job: Job, settings: WorkSettings, holder: string): RunningWork {
  const { service, broadcast, followsSandboxes, scrapedMs = SCRAPED_MS } = settings;
  const topic = `${service}.${job.name}`;
  const asked = new Asked();
  /** For whom this process asked; what other replicas ask for is not passed on. */
  const own = new Set<Owner>();
  const spread = createSpread((owner) =>
    broadcast?.send(owner === null ? topic : `${topic} ${owner}`),
  );
  const ask = (owner: Owner, at?: number): void => {
    asked.ask(owner, at);
    loop.wake(at);
  };
  const signals: Signals = {
    wakeUp: ask,
    spread: () => {
      if (own.delete(clockOwner())) spread.soon(clockOwner());
    },
  };
  const count = createOutcomes(job, { service, scrapedMs });
  const looks = isPieceWork(job)
    ? pieceLooks(job, settings, signals)
    : runLooks(job, { ...settings, holder, count }, signals);
  const lookOnce = createLookOnce(job, { ...settings, scrapedMs, count }, looks.look);
  const loop: Loop = startLoop({
    name: topic,
    sweepMs: isTimed(job) ? job.every : (settings.sweepMs ?? SWEEP_MS),
    firstMs: Math.random() * FIRST_MS_MAX,
    look: async (reason) => {
      const owners = reason === 'woken' ? asked.take() : followsSandboxes ? asked.sweep() : [null];
      const nexts: Next[] = [];
      for (const owner of owners) {
        const next = await lookOnce(owner, reason);
        if (next.again || next.at !== undefined) asked.ask(owner, next.again ? 0 : next.at);
        nexts.push(next);
      }
      return soonestOf(nexts);
    },
  });
  const listeners = listenFor(job, { settings, topic, own, ask });
  return {
    stop: async () => {
      for (const end of listeners) end?.();
      spread.stop();
      looks.stop();
      await loop.stop();
      await looks.idle();
    },
  };
}

interface Hearing {
  settings: WorkSettings;
  topic: string;
  own: Set<Owner>;
  ask: (owner: Owner, at?: number) => void;
}

/** Asks for looks when due rows are written, another replica says that there are some, or the clock of a sandbox is moved. */
function listenFor(
  job: Job,
  { settings: { broadcast, followsSandboxes = false }, topic, own, ask }: Hearing,
): ((() => void) | undefined)[] {
  const ofSandbox = `${topic} `;
  const followed = followsSandboxes ? dueInSandboxes(job) : undefined;
  const wanted = (owner: Owner, at: number): void => {
    own.add(owner);
    ask(owner, at);
  };
  return [
    (isTimed(job) ? followed : job.due)?.onWake((at, whose) => {
      const isForAll = !isTimed(job) && (!followsSandboxes || !whose);
      if (isForAll) wanted(null, at);
      if (!followsSandboxes || whose === null) return;
      for (const owner of whose === undefined ? movedSandboxes() : [whose]) wanted(owner, at);
    }),
    broadcast?.listen((heard) => {
      if (heard === topic) ask(null);
      else if (heard.startsWith(ofSandbox)) ask(heard.slice(ofSandbox.length));
    }),
    followed && onClockMoved((workspaceId) => ask(workspaceId)),
  ];
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
  /** Asks for a look by somebody's clock. */
  wakeUp(owner: Owner): void;
  /** Asks other replicas for a look by the clock of the present one. */
  spread(): void;
}

type Count = ReturnType<typeof createOutcomes>;

function runLooks(
  job: TimedJob | BatchJob,
  { service, connection, holder, count }: WorkSettings & { holder: string; count: Count },
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
      else count('done');
      return { again: outcome?.done?.more === true };
    } finally {
      end();
    }
  }

  const timed = async (): Promise<Next> =>
    clockOwner() === null || dueInSandboxes(job) ? run() : {};
  return {
    look: isTimed(job) ? timed : (reason) => whenDue(job, reason, run),
    idle: async () => undefined,
    stop: () => undefined,
  };
}

/** A sweep asks only when something is due next: at rest that is all that a job costs. */
async function whenDue(
  job: BatchJob | RowsJob,
  reason: Reason,
  work: () => Promise<Next>,
): Promise<Next> {
  if (reason === 'woken') return work();
  const now = clockOf(job).now().getTime();
  const aheadMs = clockOwner() === null ? AHEAD_MS : AHEAD_MS + SANDBOX_SWEEP_MS;
  const next = await job.due.next(new Date(now + aheadMs));
  if (!next) return {};
  return next.getTime() <= now ? work() : { at: Date.now() + next.getTime() - now };
}

function pieceLooks(job: RowsJob, { service, logger }: WorkSettings, signals: Signals): Looks {
  const pieces = createPieces({ service, job, logger, onRoom: signals.wakeUp });
  const adopt = adoptAtStart(job);
  const take = async (): Promise<Next> => {
    if ((await pieces.take()).mayBeMore) signals.spread();
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
function createSpread(send: (owner: Owner) => void): { soon(owner: Owner): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const asked = new Set<Owner>();
  const open = (): void => {
    timer = undefined;
    if (asked.size === 0) return;
    for (const owner of asked) send(owner);
    asked.clear();
    wait();
  };
  const wait = (): void => {
    timer = setTimeout(open, SPREAD_MS);
    timer.unref();
  };
  return {
    soon: (owner) => {
      if (timer !== undefined) return void asked.add(owner);
      send(owner);
      wait();
    },
    stop: () => clearTimeout(timer),
  };
}
