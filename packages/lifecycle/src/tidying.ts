import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { every, type Timer } from './background';

const LOOK_MS = 60_000;
/** Who works for a larger share of the time is busy: those who ask would wait for a collection. */
const BUSY_SHARE_MAX = 0.3;
/** A collection stops the process for some hundred ms, and is worth that much. */
const GROWN_BYTES_MIN = 32 * 2 ** 20;

/** What tidying looks at and does. */
export interface Heap {
  /** The share of the time since the last look in which the process was at work, 0 to 1. */
  busyShare(): number;
  usedBytes(): number;
  collect(): void;
}

/**
 * Gives memory back while there is little to do, looking once a minute. V8 collects all of a heap only when it has grown to
 * several times of what lives in it, which a process that is seldom asked reaches after hours, and keeps until then
 * (docs/measurements.md, "At rest").
 */
export function tidyAtRest(heap: Heap = heapOfThisProcess()): Timer {
  let keptBytes = 0;
  return every('tidying', LOOK_MS, () => {
    const isBusy = heap.busyShare() > BUSY_SHARE_MAX;
    if (isBusy || heap.usedBytes() - keptBytes < GROWN_BYTES_MIN) return;
    heap.collect();
    keptBytes = heap.usedBytes();
  });
}

export function heapOfThisProcess(): Heap {
  let seen: EventLoopUtilization = performance.eventLoopUtilization();
  // A context that is made after the flag has it: the process itself was started without.
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  return {
    busyShare() {
      const before = seen;
      seen = performance.eventLoopUtilization();
      return performance.eventLoopUtilization(seen, before).utilization;
    },
    usedBytes() {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    collect: () => collect(),
  };
}
