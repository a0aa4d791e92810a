import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@laurel/lifecycle';
import type { AttemptStore } from '../../store/attempts';
import type { DeliveryStore } from '../../store/deliveries';
import type { DeliveryResult } from '../../store/delivery-results';
import type { Departing } from '../catch-up';
import { asOfNow, followDeparted, type WrittenAttempt } from './attempts-of-departed';

const BATCH_MAX = 1_000;
const RETRY_MS_FIRST = 50;
const RETRY_MS_MAX = 2_000;

export interface Recorder {
  /** Resolves once the result is durable, or given up because the process stops. */
  record(result: DeliveryResult): Promise<void>;
  /** Resolves when everything handed in has been written, or given up. */
  stop(): Promise<void>;
}

interface Waiting {
  result: DeliveryResult;
  done: () => void;
}

/**
 * Writes results in bulk: at once when idle, gathering only while a write is in flight. While the
 * store is away it keeps trying; what it loses by dying is sent again under the same webhook-id.
 */
export function createRecorder(
  deps: Departing & { deliveries: DeliveryStore; attempts: AttemptStore },
  logger: Logger,
): Recorder {
  let waiting: Waiting[] = [];
  let working: Promise<void> | null = null;
  let stopping = false;

  async function write(batch: readonly Waiting[]): Promise<void> {
    const results = batch.map(({ result }) => result);
    const made = results.flatMap(({ attempt }) => attempt ?? []);
    // Once: what stands there already is not written again, as of another moment.
    let written: WrittenAttempt[] | null = null;
    for (let delay = RETRY_MS_FIRST; ; delay = Math.min(delay * 2, RETRY_MS_MAX)) {
      try {
        // A reader of the result must find its attempt; to write that twice is harmless.
        written ??= await asOfNow(deps, made);
        await deps.attempts.insertMissing(written.map(({ row }) => row));
        await followDeparted(deps, written);
        return await deps.deliveries.record(results);
      } catch (error) {
        logger.error(
          { err: error, results: results.length },
          'results of deliveries could not be written',
        );
        if (stopping) return;
        await pause(delay);
      }
    }
  }

  async function work(): Promise<void> {
    // A turn of the loop, so that results that came in together are written together.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      await write(batch);
      for (const { done } of batch) done();
    }
    working = null;
  }

  return {
    record(result) {
      return new Promise((resolve) => {
        waiting.push({ result, done: resolve });
        working ??= work();
      });
    },
    async stop() {
      stopping = true;
      await working;
    },
  };
}
