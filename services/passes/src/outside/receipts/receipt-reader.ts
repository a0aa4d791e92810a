import type { EventEmitter } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { platform, type Refusal } from '@laurel/errors';
import type { Recognized } from './recognition';

/** What is used of a worker thread. */
export interface Thread extends Pick<EventEmitter, 'on'> {
  postMessage(image: Uint8Array): void;
  terminate(): Promise<unknown>;
}

export interface ReaderSettings {
  /** How many images may wait for the one that is being read. */
  waitingMax: number;
  /** How long one image may take. */
  readMsMax: number;
  /** After how long without work the thread, and the memory of its models, is given back. */
  idleMs: number;
  startThread?: () => Thread;
}

interface Job {
  image: Uint8Array;
  /** Epoch milliseconds after which the caller does not wait for it any more. */
  deadlineAt: number;
  resolve(recognized: Recognized): void;
  reject(problem: Error): void;
}

type Outcome = { recognized: Recognized } | { problem: string };

const RETRY_SECONDS = 10;

export type ReceiptReader = ReturnType<typeof createReceiptReader>;

/**
 * Reads images in a thread of its own, one after the other, so that the service answers meanwhile. The thread is started
 * when it is needed, ended when it takes too long, dies or has nothing to do. More than `waitingMax` in the queue are
 * refused at once (SERVICE_UNAVAILABLE), as is what could not be read in time.
 */
export function createReceiptReader({
  waitingMax,
  readMsMax,
  idleMs,
  startThread = startReaderThread,
}: ReaderSettings) {
  const waiting: Job[] = [];
  let current: Job | null = null;
  let limit: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;
  const thread = createOneThread(startThread, {
    outcome: (outcome) =>
      settle((job) =>
        'recognized' in outcome
          ? job.resolve(outcome.recognized)
          : job.reject(new Error(outcome.problem)),
      ),
    failure: fail,
  });

  function settle(report: (job: Job) => void): void {
    const job = current;
    clearTimeout(limit);
    current = null;
    if (job) report(job);
    next();
  }

  function next(): void {
    if (current) return;
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      if (Date.now() >= job.deadlineAt) {
        job.reject(busy());
        continue;
      }
      read(job);
      return;
    }
    idle = setTimeout(thread.end, idleMs).unref();
  }

  function read(job: Job): void {
    clearTimeout(idle);
    current = job;
    limit = setTimeout(() => fail(busy()), readMsMax);
    thread.read(job.image);
  }

  /** A thread that failed is not trusted with the next image. */
  function fail(problem: Error): void {
    thread.end();
    settle((job) => job.reject(problem));
  }

  return {
    /** The text of an image; empty where there is none. */
    read(image: Uint8Array, deadlineAt = Number.POSITIVE_INFINITY): Promise<Recognized> {
      if (current && waiting.length >= waitingMax) return Promise.reject(busy());
      return new Promise((resolve, reject) => {
        waiting.push({ image, deadlineAt, resolve, reject });
        next();
      });
    },

    stop(): void {
      clearTimeout(limit);
      clearTimeout(idle);
      thread.end();
      for (const job of [current, ...waiting.splice(0)]) job?.reject(busy());
      current = null;
    },
  };
}

/** What a thread tells. */
interface Listener {
  outcome(outcome: Outcome): void;
  failure(problem: Error): void;
}

/**
 * A thread that is started for the first image, and again for the first one after its end. Of one that was ended nothing
 * is heard.
 */
function createOneThread(startThread: () => Thread, listener: Listener) {
  let thread: Thread | null = null;

  function listening(started: Thread): Thread {
    const isCurrent = () => started === thread;
    started.on('message', (outcome: Outcome) => isCurrent() && listener.outcome(outcome));
    started.on('error', (error: Error) => isCurrent() && listener.failure(error));
    started.on(
      'exit',
      () => isCurrent() && listener.failure(new Error('the thread that reads receipts ended')),
    );
    return started;
  }

  return {
    read(image: Uint8Array): void {
      thread ??= listening(startThread());
      thread.postMessage(image);
    },

    end(): void {
      const ending = thread;
      thread = null;
      void ending?.terminate();
    },
  };
}

function busy(): Refusal {
  return platform.serviceUnavailable({
    message: 'receipts cannot be read at this moment',
    retryAfterSeconds: RETRY_SECONDS,
  });
}

function startReaderThread(): Thread {
  return new Worker(path.join(__dirname, 'reader-thread.js'));
}
